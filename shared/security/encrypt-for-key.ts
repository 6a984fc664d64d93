import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import type { Place } from './encrypted-value.ts';

/** The algorithms of texts that are encrypted for a public key. */
export const forKey = { alg: 'ECDH-ES', enc: 'A256GCM' } as const;

/**
 * Encrypts a text for one place with a public key (P-256, as JWK). The result is a JWE in compact form. The caller needs no
 * right to decrypt.
 */
export const encryptForKey = (
  publicKey: JsonWebKey,
  { account, record, field }: Place,
  plain: string,
): Promise<string> =>
  new CompactEncrypt(Buffer.from(plain))
    .setProtectedHeader({ ...forKey, account, record, field })
    .encrypt(createPublicKey({ key: publicKey, format: 'jwk' }));
