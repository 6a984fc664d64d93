import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type AccountId, asAccountId } from '../id/account-id.ts';

const algorithm = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];
/** The maximum length of an account id. All sealed ids have this length, so that it reveals nothing. */
const paddedLength = 64;

/**
 * Encrypts the account in which a user is stored, for a token that an account can read: in an impersonation, or if the
 * password is not proved. This account may be another one. The token is signed, so it is bound to its other claims.
 */
export function sealHome(home: AccountId, key: Uint8Array): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce);
  const sealed = Buffer.concat([cipher.update(home.padEnd(paddedLength)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts the account. Returns undefined if the text or the key is wrong. */
export function openHome(text: string, key: Uint8Array): AccountId | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== nonceLength + tagLength + paddedLength) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  try {
    const opened = [decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()];
    return asAccountId(Buffer.concat(opened).toString().trimEnd());
  } catch {
    return undefined;
  }
}
