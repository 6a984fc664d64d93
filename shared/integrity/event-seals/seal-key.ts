import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GetPublicKeyCommand, SignCommand } from '@aws-sdk/client-kms';
import { kms } from '../../security/kms.ts';

/** The key that seals are signed by: ECDSA on P-256 over SHA-256. */
export interface SealKey {
  /** The public half, in base64 of its DER (SPKI). */
  verifyingKey(): Promise<string>;
  /** The signature of a text of at most 4 KB, in base64 of its DER. */
  sign(text: string): Promise<string>;
}

/**
 * Milliseconds for what is asked of KMS, its retries included: some ten times what it takes. A step that begins after 18 s
 * ends within 20 s then, and what KMS did not do is done a minute later.
 */
const longest = 1_500;

/**
 * The key of the stage: in KMS, where nobody can read it, or, locally, the one in SEAL_KEY_FILE. What is asked of KMS ends with
 * the signal, if one is given, and after 1.5 s.
 */
export function sealKey(signal?: AbortSignal): SealKey {
  const { SEAL_KEY_FILE, SEAL_KEY_ID } = process.env;
  rejectSealKeyFileInProd();
  if (SEAL_KEY_FILE) return byFile(SEAL_KEY_FILE);
  if (!SEAL_KEY_ID) throw new Error('SEAL_KEY_ID is not set: it names the key in KMS that signs seals.');
  return byKms(SEAL_KEY_ID, signal);
}

function rejectSealKeyFileInProd(): void {
  const { SEAL_KEY_FILE, STAGE } = process.env;
  if (SEAL_KEY_FILE && STAGE === 'prod')
    throw new Error('SEAL_KEY_FILE is for local use and not allowed when STAGE is prod.');
}

// At load too, so that such a function does not start.
rejectSealKeyFileInProd();

/** Public keys that KMS has told this instance, by the id of the key. */
const told = new Map<string, string>();

const endsWith = (signal: AbortSignal | undefined) => ({
  abortSignal: AbortSignal.any([AbortSignal.timeout(longest), ...(signal ? [signal] : [])]),
});

const byKms = (KeyId: string, signal: AbortSignal | undefined): SealKey => ({
  async verifyingKey() {
    const known = told.get(KeyId);
    if (known) return known;
    const { PublicKey } = await kms().send(new GetPublicKeyCommand({ KeyId }), endsWith(signal));
    if (!PublicKey) throw new Error('KMS told no public key.');
    const key = Buffer.from(PublicKey).toString('base64');
    told.set(KeyId, key);
    return key;
  },
  async sign(text) {
    const { Signature } = await kms().send(
      new SignCommand({
        KeyId,
        Message: Buffer.from(text),
        MessageType: 'RAW',
        SigningAlgorithm: 'ECDSA_SHA_256',
      }),
      endsWith(signal),
    );
    if (!Signature) throw new Error('KMS made no signature.');
    return Buffer.from(Signature).toString('base64');
  },
});

const byFile = (path: string): SealKey => ({
  verifyingKey: async () => publicHalf(parseSealKeyFile(readFileSync(path, 'utf8'))),
  sign: async (text) =>
    sign('sha256', Buffer.from(text), parseSealKeyFile(readFileSync(path, 'utf8'))).toString('base64'),
});

const publicHalf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');

/**
 * The private key in a SEAL_KEY_FILE, which is a JSON Web Key (RFC 7517). Throws a plain Error that says what is wrong with it:
 * the public half, which a file holds too, has to fit.
 */
export function parseSealKeyFile(text: string): KeyObject {
  try {
    const { d, ...half } = JSON.parse(text) as JsonWebKey;
    const key = createPrivateKey({ key: { ...half, d }, format: 'jwk' });
    const probe = Buffer.from('probe');
    const fits = verify(
      'sha256',
      probe,
      createPublicKey({ key: half, format: 'jwk' }),
      sign('sha256', probe, key),
    );
    if (fits && half.crv === 'P-256') return key;
  } catch {
    // What OpenSSL says of it helps nobody.
  }
  throw new Error('SEAL_KEY_FILE holds no key of P-256.');
}

/** The text of a new SEAL_KEY_FILE. */
export const newSealKeyFile = (): string =>
  JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));
