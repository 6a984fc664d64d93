import { createHash, randomUUID } from 'node:crypto';
import type { DataKeys } from '../../shared/security/data-keys.ts';

/** Replaces data keys in tests, without encryption. `open` requires the same `place` as `seal`. */
export const knownKeys: DataKeys = {
  seal: async (place, plain) => JSON.stringify({ place, plain, nonce: randomUUID() }),
  open: async (place, jwe) => {
    const sealed = JSON.parse(jwe);
    if (JSON.stringify(sealed.place) !== JSON.stringify(place))
      throw new Error('The value was sealed for another place.');
    return sealed.plain;
  },
  blind: (kind, normalised) => createHash('sha256').update(`${kind} ${normalised}`).digest('base64url'),
};
