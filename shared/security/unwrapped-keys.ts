import type { CryptoKey } from 'jose';
import type { AccountId } from '../id/account-id.ts';
import { isTransient } from '../table/retries.ts';
import { generateKey, unwrapKey } from './key-wrapping.ts';

const keptMilliseconds = 5 * 60_000;
const mostKeys = 1000;

/** Unwrapped keys of this instance, as objects that do not give their bytes away. */
const kept = new Map<string, { key: Promise<CryptoKey>; until: number }>();

/** By account too: a wrapped key that was copied to another account is judged by KMS, and not found here. */
const nameOf = (account: AccountId, wrapped: string): string => `${account} ${wrapped}`;

/**
 * An account's data key. It is unwrapped at most every five minutes, and by the first of several requests at once. Throws the
 * error of KMS, and the next request asks KMS again.
 */
export function unwrappedKey(account: AccountId, wrapped: string): Promise<CryptoKey> {
  const name = nameOf(account, wrapped);
  const known = kept.get(name);
  if (known && Date.now() < known.until) return known.key;
  const key = unwrapKey(account, wrapped).then(asCryptoKey).catch(forgetAndThrow(name));
  keep(name, key);
  return key;
}

/** A new data key for an account, as it is stored; it is known here already. */
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

/** One key in KMS guards them all: whoever it is denied to may use none that it unwrapped before. */
const forgetAndThrow =
  (name?: string) =>
  (error: unknown): never => {
    if (!isTransient(error)) kept.clear();
    else if (name !== undefined) kept.delete(name);
    throw error;
  };

/** Imported once: jose seals with it in 51 µs, from bytes in 138. */
export const asCryptoKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
