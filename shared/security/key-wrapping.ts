import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import type { AccountId } from '../id/account-id.ts';
import { kms } from './kms.ts';

/** A new 32-byte key, plain and wrapped (in base64). */
interface NewKey {
  plain: Uint8Array<ArrayBuffer>;
  wrapped: string;
}

/** Wraps data keys with a master key. */
interface KeyWrapping {
  generate(context: Context): Promise<NewKey>;
  unwrap(wrapped: string, context: Context): Promise<Uint8Array<ArrayBuffer>>;
}

/** The encryption context, which the key policy requires. KMS unwraps a key only with the same context. */
type Context = { account: AccountId; stage: string };

/** Creates a data key for an account with KMS, or locally with the key in KEY_FILE. */
export const generateKey = async (account: AccountId): Promise<NewKey> =>
  wrapping().generate(contextOf(account));

export const unwrapKey = async (account: AccountId, wrapped: string): Promise<Uint8Array<ArrayBuffer>> =>
  wrapping().unwrap(wrapped, contextOf(account));

function contextOf(account: AccountId): Context {
  const { STAGE } = process.env;
  if (!STAGE) throw new Error('STAGE is not set. Data keys are bound to the stage.');
  return { account, stage: STAGE };
}

function wrapping(): KeyWrapping {
  const { KEY_FILE, DATA_KEY_ID } = process.env;
  rejectKeyFileInProd();
  if (KEY_FILE) return byFile(KEY_FILE);
  if (!DATA_KEY_ID)
    throw new Error('DATA_KEY_ID is not set. Set it to the id of the KMS key that wraps data keys.');
  return byKms(DATA_KEY_ID);
}

function rejectKeyFileInProd(): void {
  const { KEY_FILE, STAGE } = process.env;
  if (KEY_FILE && STAGE === 'prod')
    throw new Error('KEY_FILE is for local use only. Remove it when STAGE is prod.');
}

// This check also runs when the module is loaded, so that a misconfigured function does not start.
rejectKeyFileInProd();

const byKms = (KeyId: string): KeyWrapping => ({
  async generate(EncryptionContext) {
    const { Plaintext, CiphertextBlob } = await kms().send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }),
    );
    if (!Plaintext || !CiphertextBlob) throw new Error('KMS returned no data key.');
    return { plain: Uint8Array.from(Plaintext), wrapped: Buffer.from(CiphertextBlob).toString('base64') };
  },
  async unwrap(wrapped, EncryptionContext) {
    const CiphertextBlob = Buffer.from(wrapped, 'base64');
    const { Plaintext } = await kms().send(new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext }));
    if (!Plaintext) throw new Error('KMS returned no plaintext.');
    return Uint8Array.from(Plaintext);
  },
});

/** AES-256-GCM: 12 bytes of nonce, ciphertext, 16 bytes of tag. The context is the additional authenticated data. */
const byFile = (path: string): KeyWrapping => ({
  async generate(context) {
    const plain = Uint8Array.from(randomBytes(32));
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', parseKeyFile(readFileSync(path, 'utf8')), nonce);
    cipher.setAAD(additionalData(context));
    const encrypted = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return { plain, wrapped: encrypted.toString('base64') };
  },
  async unwrap(wrapped, context) {
    const bytes = Buffer.from(wrapped, 'base64');
    const key = parseKeyFile(readFileSync(path, 'utf8'));
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(additionalData(context));
    decipher.setAuthTag(bytes.subarray(-16));
    return Uint8Array.from(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]));
  },
});

const additionalData = ({ account, stage }: Context): Buffer =>
  Buffer.from(JSON.stringify({ account, stage }));

/** Returns the 32 bytes in a KEY_FILE: `{"key": "<base64url>"}`. Throws an Error with the reason. */
export function parseKeyFile(text: string): Buffer {
  const { key } = JSON.parse(text) as { key?: unknown };
  const bytes = Buffer.from(typeof key === 'string' ? key : '', 'base64url');
  if (bytes.length !== 32) throw new Error('KEY_FILE must contain a key of 32 bytes.');
  return bytes;
}

/** Returns the content of a new KEY_FILE. */
export const newKeyFile = (): string => JSON.stringify({ key: randomBytes(32).toString('base64url') });
