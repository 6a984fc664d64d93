import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The partition of an account's seals and of their leaves. */
export const sealPartition = (account: AccountId): string => tenantPartition(account, 'SEAL');

/** The key of a seal, by its end: ISO 8601 with milliseconds. */
export const sealKey = (account: AccountId, to: string): Key => ({
  pk: sealPartition(account),
  sk: `SEAL#${to}`,
});

/** The sort keys of all seals of an account, and of those that end after an instant. */
export const sealRange = { from: 'SEAL#', to: 'SEAL#~' } as const;
// Nothing sorts between a key and the same key followed by a space.
export const sealsAfter = (instant: string) => ({ from: `SEAL#${instant} `, to: 'SEAL#~' });

/** The key of a seal's leaves, by their root: leaves that do not match their root are detected. */
export const sealLeavesKey = (account: AccountId, root: string): Key => ({
  pk: sealPartition(account),
  sk: `LEAVES#${root}`,
});

/** The key of the newest seal, in another partition: removing the newest seals unnoticed requires changing it too. */
export const sealHeadKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'SEALHEAD'),
  sk: 'SEALHEAD',
});
