import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../table/keys.ts';

/** The key of the bodies of one request. */
export const bodiesKey = (account: AccountId, id: number): Key => ({
  pk: tenantPartition(account, 'BODIES'),
  sk: digits(id),
});

/** The key of the item with a private key that decrypts captured bodies. */
export const captureKeyKey = (account: AccountId, id: number): Key => ({
  pk: tenantPartition(account, 'BODYKEY'),
  sk: digits(id),
});

/** The partition with the ids of the bodies of requests that changed a record. */
export const bodiesOfPartition = (account: AccountId, type: string, id: number | string): string =>
  tenantPartition(account, 'BODIESOF', type, String(id));

/** The key of the reference from a record to the bodies of a request. */
export const bodiesOfKey = (
  account: AccountId,
  { type, id }: { type: string; id: number | string },
  bodies: number,
): Key => ({ pk: bodiesOfPartition(account, type, id), sk: digits(bodies) });
