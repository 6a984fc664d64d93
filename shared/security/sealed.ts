import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';
import { keyring } from './keyring.ts';

/** The purposes of sealed texts. Each has its own key, so a text for one purpose is never accepted for another. */
type Purpose = 'sign-on-state' | 'sign-on-code';

/** Encrypts and authenticates values that only this service can read again, until they expire. */
export async function seal(purpose: Purpose, values: object, expiresAt: Date): Promise<string> {
  const ring = await keyring();
  const key = ring.key(ring.current, purpose);
  if (!key) throw new Error('The keyring has no current key.');
  return new EncryptJWT({ values } satisfies JWTPayload)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: ring.current })
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
    .encrypt(key);
}

/**
 * Returns the values of a sealed text. Undefined if the text was not sealed for this purpose, was changed or has expired.
 * `seal` wrote the values, so their type is not checked again.
 */
export async function unseal<V>(purpose: Purpose, text: string, now: Date): Promise<V | undefined> {
  try {
    const { payload } = await jwtDecrypt(
      text,
      async ({ kid = '' }) => {
        const key = (await keyring(kid)).key(kid, purpose);
        if (!key) throw new errors.JWTInvalid('unknown kid');
        return key;
      },
      {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
        currentDate: now,
      },
    );
    return payload.values as V;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
