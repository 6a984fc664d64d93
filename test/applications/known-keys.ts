import { createHash, randomUUID } from 'node:crypto';
import type { DataKeys } from '../../shared/security/data-keys.ts';

/** Keys that stand in for an account's where no cipher is needed: what they seal opens at its place and nowhere else. */
export const knownKeys: DataKeys = {
  seal: async (place, plain) => JSON.stringify({ place, plain, nonce: randomUUID() }),
  open: async (place, jwe) => {
    const sealed = JSON.parse(jwe);
    if (JSON.stringify(sealed.place) !== JSON.stringify(place)) throw new Error('Sealed for another place.');
    return sealed.plain;
  },
  blind: (kind, normalised) => createHash('sha256').update(`${kind} ${normalised}`).digest('base64url'),
};
