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
