import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The partition of an account's seals and of their leaves. */
export const sealPartition = (account: AccountId): string => tenantPartition(account, 'SEAL');

/** The key of a seal, by its end: ISO 8601 with milliseconds. */
export const sealKey = (account: AccountId, to: string): Key => ({
  pk: sealPartition(account),
  sk: `SEAL#${to}`,
});

/** The sort keys of all seals of an account. */
export const sealRange = { from: 'SEAL#', to: 'SEAL#~' } as const;
// The sort keys of the seals that end after an instant. The space after the instant excludes a seal that ends
// exactly at the instant.
export const sealsAfter = (instant: string) => ({ from: `SEAL#${instant} `, to: 'SEAL#~' });

/** The key of the item with a seal's leaves. It contains the Merkle root, so each root has its own item. */
export const sealLeavesKey = (account: AccountId, root: string): Key => ({
  pk: sealPartition(account),
  sk: `LEAVES#${root}`,
});

/** The key of the newest seal's item. To remove the newest seals unnoticed, an attacker must change this item, too. */
export const sealHeadKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'SEALHEAD'),
  sk: 'SEALHEAD',
});
