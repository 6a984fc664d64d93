import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { forKey } from './encrypt-for-key.ts';
import { decryptAt, type Place } from './encrypted-value.ts';

/** Decrypts a text of `encryptForKey`. Throws DecryptionFailed if the key, the place or the text is wrong. */
export const decryptWithKey = (privateKey: JsonWebKey, place: Place, jwe: string): Promise<string> =>
  decryptAt(place, jwe, createPrivateKey({ key: privateKey, format: 'jwk' }), forKey);
