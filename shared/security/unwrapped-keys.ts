import type { CryptoKey } from 'jose';
import type { AccountId } from '../id/account-id.ts';
import { isTransient } from '../table/retries.ts';
import { generateKey, unwrapKey } from './key-wrapping.ts';

const keptMilliseconds = 5 * 60_000;
const mostKeys = 1000;

/** The cached unwrapped keys of this instance. The bytes of the keys cannot be exported. */
const kept = new Map<string, { key: Promise<CryptoKey>; until: number }>();

/**
 * Returns the cache key. It includes the account: if another account uses the same wrapped key, the cache has no entry,
 * and KMS rejects the request.
 */
const nameOf = (account: AccountId, wrapped: string): string => `${account} ${wrapped}`;

/**
 * Unwraps a data key of an account. The result is cached for five minutes and shared by concurrent requests. Errors of
 * KMS are thrown and not cached.
 */
export function unwrappedKey(account: AccountId, wrapped: string): Promise<CryptoKey> {
  const name = nameOf(account, wrapped);
  const known = kept.get(name);
  if (known && Date.now() < known.until) return known.key;
  const key = unwrapKey(account, wrapped).then(asCryptoKey).catch(forgetAndThrow(name));
  keep(name, key);
  return key;
}

/** Creates a data key for an account, caches it and returns its wrapped form. */
export async function newWrappedKey(account: AccountId): Promise<string> {
  const { plain, wrapped } = await generateKey(account).catch(forgetAndThrow());
  const key = asCryptoKey(plain);
  keep(nameOf(account, wrapped), key);
  await key;
  return wrapped;
}

function keep(name: string, key: Promise<CryptoKey>): void {
  if (kept.size >= mostKeys) kept.clear();
  kept.set(name, { key, until: Date.now() + keptMilliseconds });
}

/**
 * A permanent error, such as denied access, clears the whole cache, because one KMS key wraps all data keys.
 */
const forgetAndThrow =
  (name?: string) =>
  (error: unknown): never => {
    if (!isTransient(error)) kept.clear();
    else if (name !== undefined) kept.delete(name);
    throw error;
  };

/** Imports a key, because jose encrypts in 51 µs with a CryptoKey, but in 138 µs with raw bytes. */
export const asCryptoKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
