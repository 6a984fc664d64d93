import { createHmac, randomBytes } from 'node:crypto';
import type { CryptoKey } from 'jose';
import type { AccountId } from '../id/account-id.ts';
import { type Item, recordOf } from '../table/item.ts';
import { putIfAbsent, putIfVersion, type TransactItem } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { transact, VersionConflict } from '../table/transact.ts';
import { decryptText, encryptText, type Place } from './encrypted-value.ts';
import { dataKeysKey } from './keys.ts';
import { asCryptoKey, newWrappedKey, unwrappedKey } from './unwrapped-keys.ts';

/** The data keys of an account. If KMS is busy, `encrypt` and `decrypt` throw the KMS error, and clients get `busy`. */
export interface DataKeys {
  /** Encrypts a text for one place with the newest key. */
  encrypt(place: Place, plain: string): Promise<string>;
  /** Decrypts a value that was encrypted for this place with any of the keys. Throws DecryptionFailed for others. */
  decrypt(place: Place, jwe: string): Promise<string>;
  /**
   * Returns a keyed hash of a normalized value. Equal values of the same kind have equal hashes within the
   * account, so that duplicates can be found. The hash does not reveal the value.
   */
  blind(kind: string, normalised: string): string;
}

/** The stored keys of an account, in one item. */
export interface StoredDataKeys {
  /** The id (kid) of the key for new values. */
  current: string;
  /** Data keys by kid, wrapped by KMS. */
  keys: Record<string, string>;
  /** The key for keyed hashes. Encrypted with the current data key, so that one KMS call is enough for both keys. */
  indexKey: string;
  /** ISO 8601: when the first key was created. */
  createdAt?: string;
  version: number;
}

interface DataKeysNeeded {
  account: AccountId;
  /** The item with the keys, if authentication has already read the item. */
  read?: { item: Item | undefined };
  /** Whether missing keys are created and stored. If false, temporary keys are used for this request only. */
  keep: boolean;
  /** Milliseconds since 1970. */
  deadline: number;
}

export type OpenDataKeys = typeof openDataKeys;

/**
 * Returns the keys of an account. If `keep` is true, missing keys are created by a conditional write. If another
 * request creates keys first, returns the keys of that request.
 */
export async function openDataKeys({ account, read, keep, deadline }: DataKeysNeeded): Promise<DataKeys> {
  const item = read ? read.item : await getItem(dataKeysKey(account));
  if (item) return keysIn(account, recordOf(item));
  return keep ? keysIn(account, await makeDataKeys(account, deadline)) : temporaryKeys(account);
}

async function makeDataKeys(account: AccountId, deadline: number): Promise<StoredDataKeys> {
  const wrapped = await newWrappedKey(account);
  const indexKey = await encryptText(
    { kid: '1', key: await unwrappedKey(account, wrapped) },
    indexKeyPlace(account),
    randomBytes(32).toString('base64url'),
  );
  const createdAt = new Date().toISOString();
  const made = { current: '1', keys: { '1': wrapped }, indexKey, createdAt, version: 1 };
  try {
    await transact([putIfAbsent(itemOf(account, made))], deadline);
    return made;
  } catch (error) {
    const winner = error instanceof VersionConflict && (await getItem(dataKeysKey(account)));
    if (!winner) throw error;
    return recordOf(winner);
  }
}

/** Creates a data key for new values. Older keys still decrypt their values, and keyed hashes do not change. */
export async function addDataKey(
  account: AccountId,
  stored: StoredDataKeys,
): Promise<{ kid: string; write: TransactItem }> {
  const kid = String(Math.max(...Object.keys(stored.keys).map(Number)) + 1);
  const place = indexKeyPlace(account);
  const indexKey = await decryptText(keyIn(account, stored), place, stored.indexKey);
  const wrapped = await newWrappedKey(account);
  const key = await unwrappedKey(account, wrapped);
  const next: StoredDataKeys = {
    ...stored,
    current: kid,
    keys: { ...stored.keys, [kid]: wrapped },
    indexKey: await encryptText({ kid, key }, place, indexKey),
    version: stored.version + 1,
  };
  return { kid, write: putIfVersion(itemOf(account, next), stored.version) };
}

const itemOf = (account: AccountId, stored: StoredDataKeys): Item => ({
  ...dataKeysKey(account),
  type: 'data-keys',
  ...stored,
});

const indexKeyPlace = (account: AccountId): Place => ({ account, record: 'data-keys', field: 'indexKey' });

const keyIn =
  (account: AccountId, { keys }: StoredDataKeys) =>
  async (kid: string): Promise<CryptoKey | undefined> => {
    const wrapped = Object.hasOwn(keys, kid) ? keys[kid] : undefined;
    return wrapped === undefined ? undefined : unwrappedKey(account, wrapped);
  };

async function keysIn(account: AccountId, stored: StoredDataKeys): Promise<DataKeys> {
  const keyOf = keyIn(account, stored);
  const indexKey = await decryptText(keyOf, indexKeyPlace(account), stored.indexKey);
  return keysWith({ account, current: stored.current, keyOf, indexKey });
}

/** Returns new keys that are not stored, for a request that stores no values. */
async function temporaryKeys(account: AccountId): Promise<DataKeys> {
  const current = 'temporary';
  const key = await asCryptoKey(Uint8Array.from(randomBytes(32)));
  const keyOf = async (kid: string) => (kid === current ? key : undefined);
  return keysWith({ account, current, keyOf, indexKey: randomBytes(32).toString('base64url') });
}

interface OpenKeys {
  account: AccountId;
  current: string;
  keyOf(kid: string): Promise<CryptoKey | undefined>;
  indexKey: string;
}

const keysWith = ({ account, current, keyOf, indexKey }: OpenKeys): DataKeys => {
  const ownPlace = (place: Place): Place => {
    if (place.account !== account) throw new Error('The value belongs to another account.');
    return place;
  };
  return {
    async encrypt(place, plain) {
      const key = await keyOf(current);
      if (!key) throw new Error('The current data key is missing.');
      return encryptText({ kid: current, key }, ownPlace(place), plain);
    },
    decrypt: async (place, jwe) => decryptText(keyOf, ownPlace(place), jwe),
    blind: (kind, normalised) =>
      createHmac('sha256', indexKey).update(`${kind}\n${normalised}`).digest('base64url'),
  };
};
