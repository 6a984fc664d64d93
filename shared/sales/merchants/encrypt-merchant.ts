import type { DataKeys } from '../../security/data-keys.ts';
import { decryptValues, encryptValues } from '../../security/encrypt-values.ts';
import type { Revision } from '../../table/revise.ts';
import type { MergedMerchant } from './merge-merchant.ts';
import {
  accountNumberPath,
  describeValue,
  encryptedByPath,
  type MerchantContents,
  placeInMerchant,
  withEncrypted,
} from './sensitive-values.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/**
 * Encrypts the sensitive values of a request. If the caller may read a stored value and sends the same value, the old
 * ciphertext is kept. The value then counts as unchanged.
 */
export async function encryptMerchant(
  before: StoredMerchant,
  merged: MergedMerchant,
  mayRead: boolean,
  { dataKeys, now }: { dataKeys(): Promise<DataKeys>; now: Date },
): Promise<Revision<StoredMerchant>> {
  const after = contentsAfter(before, merged.revision);
  // A new routing number requires a new hash, because the keyed hash of the account number includes the routing number.
  const again = bankChanges(before, after) ? [accountNumberPath] : [];
  if (merged.sentTexts.size === 0 && again.length === 0) return merged.revision;
  const keys = await dataKeys();
  const values = { stored: encryptedByPath(before), sent: merged.sentTexts, mayRead, again };
  const encrypted = await encryptValues(keys, placeInMerchant(before), values, (path, plain) =>
    describeValue(keys, path, plain, after.banking.routingNumber, now),
  );
  return { ...merged.revision, ...withEncrypted(after, encrypted) };
}

/** Decrypts every sensitive value and returns the values by path. Reads the keys only if there are such values. */
export async function decryptMerchant(
  merchant: StoredMerchant,
  dataKeys: () => Promise<DataKeys>,
): Promise<ReadonlyMap<string, string>> {
  const encrypted = encryptedByPath(merchant);
  return encrypted.size === 0
    ? new Map()
    : decryptValues(await dataKeys(), placeInMerchant(merchant), encrypted);
}

const bankChanges = (before: MerchantContents, after: MerchantContents): boolean =>
  after.banking.accountNumber !== undefined && after.banking.routingNumber !== before.banking.routingNumber;

const contentsAfter = (
  before: StoredMerchant,
  { principals, banking }: Revision<StoredMerchant>,
): MerchantContents => ({ principals: principals ?? before.principals, banking: banking ?? before.banking });
