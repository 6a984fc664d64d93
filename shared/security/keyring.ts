import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { closesSilentConnections } from '../tune-client.ts';

/**
 * The service's secret: `{"kids": ["2", "1"], "1": "…", "2": "…"}`. The first key signs tokens. All keys can verify
 * tokens, so that the secret can be rotated without ending sessions.
 */
export interface Keyring {
  current: string;
  /** The ids of all keys. The current one is the first. */
  kids: readonly string[];
  /** Returns the key with this id (kid) for a purpose. Each purpose has its own derived key. */
  key(kid: string, purpose: KeyPurpose): Uint8Array | undefined;
}

type KeyPurpose =
  | 'session-token'
  | 'session-home'
  | 'idempotency'
  | 'sign-on-state'
  | 'sign-on-code'
  | 'mail-address';

const keptMilliseconds = 5 * 60_000;
/** The time between two reads while Secrets Manager is unavailable. */
const retryMilliseconds = 10_000;
let cached: { keyring: Keyring; readAt: number; until: number } | undefined;
let reading: Promise<Keyring> | undefined;

/**
 * Returns the keyring, which is cached for five minutes. An unknown `kid` refreshes the cache immediately. If Secrets
 * Manager is unavailable, the cached keyring is used, and the secret is read again after ten seconds.
 */
export async function keyring(kid?: string): Promise<Keyring> {
  const now = Date.now();
  const isKnown = !cached || kid === undefined || cached.keyring.key(kid, 'session-token') !== undefined;
  // Unknown key ids cause at most one read per second, so that forged ids cannot overload Secrets Manager.
  if (cached && now < cached.until && (isKnown || now < cached.readAt + 1000)) return cached.keyring;
  reading ??= readSecret()
    .then(parseKeyring)
    .finally(() => {
      reading = undefined;
    });
  try {
    cached = { keyring: await reading, readAt: Date.now(), until: Date.now() + keptMilliseconds };
  } catch (error) {
    if (!cached) throw error;
    cached = { ...cached, readAt: Date.now(), until: Date.now() + retryMilliseconds };
  }
  return cached.keyring;
}

/** Parses a secret. Throws an Error with the reason. */
export function parseKeyring(text: string): Keyring {
  const secret = JSON.parse(text) as { kids?: unknown } & Record<string, unknown>;
  const kids = Array.isArray(secret.kids) ? secret.kids.map(String) : [];
  const [current] = kids;
  if (current === undefined) throw new Error('The signing secret has no "kids".');
  for (const kid of kids) {
    const value = secret[kid];
    if (typeof value !== 'string' || value.length < 32)
      throw new Error(`The signing secret needs a key of at least 32 characters for kid "${kid}".`);
  }
  const derived = new Map<string, Uint8Array>();
  return {
    current,
    kids,
    key(kid, purpose) {
      if (!kids.includes(kid)) return undefined;
      const name = `${purpose}/${kid}`;
      const known = derived.get(name) ?? createHmac('sha256', String(secret[kid])).update(purpose).digest();
      derived.set(name, known);
      return known;
    },
  };
}

async function readSecret(): Promise<string> {
  const { SECRET_FILE, SECRET_ID, STAGE } = process.env;
  if (SECRET_FILE) {
    if (STAGE === 'prod') throw new Error('SECRET_FILE is for local use only. Remove it when STAGE is prod.');
    return readFileSync(SECRET_FILE, 'utf8');
  }
  if (!SECRET_ID) throw new Error('SECRET_ID is not set. Set it to the signing secret in Secrets Manager.');
  const { SecretString } = await secrets().send(new GetSecretValueCommand({ SecretId: SECRET_ID }));
  if (!SecretString) throw new Error('The signing secret has no text.');
  return SecretString;
}

let client: SecretsManagerClient | undefined;
const secrets = () => {
  client ??= new SecretsManagerClient(closesSilentConnections);
  return client;
};
