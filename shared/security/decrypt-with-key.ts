import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { compactDecrypt } from 'jose';
import { forKey } from './encrypt-for-key.ts';
import { DecryptionFailed, isAt, type Place } from './encrypted-value.ts';

/** Decrypts a text of `encryptForKey`. Throws DecryptionFailed if the key, the place or the text is wrong. */
export async function decryptWithKey(privateKey: JsonWebKey, place: Place, jwe: string): Promise<string> {
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const decrypted = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: [forKey.alg],
    contentEncryptionAlgorithms: [forKey.enc],
  }).catch(() => undefined);
  if (!decrypted || !isAt(place, decrypted.protectedHeader)) throw new DecryptionFailed();
  return Buffer.from(decrypted.plaintext).toString();
}
