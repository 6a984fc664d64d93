import { createHash, randomUUID } from 'node:crypto';
import type { DataKeys } from '../../shared/security/data-keys.ts';

/** Data keys for tests. They do not encrypt values. `decrypt` requires the same `place` as `encrypt`. */
export const knownKeys: DataKeys = {
  encrypt: async (place, plain) => JSON.stringify({ place, plain, nonce: randomUUID() }),
  decrypt: async (place, jwe) => {
    const encrypted = JSON.parse(jwe);
    if (JSON.stringify(encrypted.place) !== JSON.stringify(place))
      throw new Error('The value was encrypted for another field, record or account.');
    return encrypted.plain;
  },
  blind: (kind, normalised) => createHash('sha256').update(`${kind} ${normalised}`).digest('base64url'),
};
