import { createHash, randomUUID } from 'node:crypto';
import type { DataKeys } from '../../shared/security/data-keys.ts';

/** Data keys for tests. They do not encrypt values. `open` requires the same `place` as `seal`. */
export const knownKeys: DataKeys = {
  seal: async (place, plain) => JSON.stringify({ place, plain, nonce: randomUUID() }),
  open: async (place, jwe) => {
    const sealed = JSON.parse(jwe);
    if (JSON.stringify(sealed.place) !== JSON.stringify(place))
      throw new Error('The value was encrypted for another field, record or account.');
    return sealed.plain;
  },
  blind: (kind, normalised) => createHash('sha256').update(`${kind} ${normalised}`).digest('base64url'),
};
