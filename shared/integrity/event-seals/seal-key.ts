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

/** The key that signs seals: ECDSA on P-256 with SHA-256. */
interface SealKey {
  /** The public key as DER (SPKI) in base64. */
  verifyingKey(): Promise<string>;
  /** Signs a text of at most 4 KB. Returns DER in base64. */
  sign(text: string): Promise<string>;
}

/**
 * The timeout of a KMS call with its retries, in milliseconds: about ten times the usual duration. A run of
 * the work queue starts its last attempt after at most 18 s, so the run ends within 20 s. A failed attempt is
 * repeated a minute later.
 */
const longest = 1_500;

/**
 * Returns the stage's signing key: a KMS key, which cannot be exported, or for local use the key in SEAL_KEY_FILE. KMS
 * calls end after 1.5 s, or earlier if the signal aborts.
 */
export function signingKey(signal?: AbortSignal): SealKey {
  const { SEAL_KEY_FILE, SEAL_KEY_ID } = process.env;
  rejectSealKeyFileInProd();
  if (SEAL_KEY_FILE) return byFile(SEAL_KEY_FILE);
  if (!SEAL_KEY_ID)
    throw new Error('SEAL_KEY_ID is not set. Set it to the id of the KMS key that signs seals.');
  return byKms(SEAL_KEY_ID, signal);
}

function rejectSealKeyFileInProd(): void {
  const { SEAL_KEY_FILE, STAGE } = process.env;
  if (SEAL_KEY_FILE && STAGE === 'prod')
    throw new Error('SEAL_KEY_FILE is for local use only. Remove it when STAGE is prod.');
}

// SEAL_KEY_FILE is also checked when the module is loaded, so that a misconfigured function does not start.
rejectSealKeyFileInProd();

/** The public keys that KMS returned to this instance, by key id. */
const publicKeys = new Map<string, string>();

const endsWith = (signal: AbortSignal | undefined) => ({
  abortSignal: AbortSignal.any([AbortSignal.timeout(longest), ...(signal ? [signal] : [])]),
});

const byKms = (KeyId: string, signal: AbortSignal | undefined): SealKey => ({
  async verifyingKey() {
    const known = publicKeys.get(KeyId);
    if (known) return known;
    const { PublicKey } = await kms().send(new GetPublicKeyCommand({ KeyId }), endsWith(signal));
    if (!PublicKey) throw new Error('KMS returned no public key.');
    const key = Buffer.from(PublicKey).toString('base64');
    publicKeys.set(KeyId, key);
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
    if (!Signature) throw new Error('KMS returned no signature.');
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
 * Returns the private key in a SEAL_KEY_FILE, a JSON Web Key (RFC 7517). Throws an Error if the key is not a P-256
 * key, or if its public half does not match.
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
    // OpenSSL's error does not name the file, so the error below replaces it.
  }
  throw new Error('SEAL_KEY_FILE must contain a P-256 private key.');
}

/** The content of a new SEAL_KEY_FILE. */
export const newSealKeyFile = (): string =>
  JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));
