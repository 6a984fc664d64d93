import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The seals of an account's events, and the leaves that they were computed from. */
export const sealPartition = (account: AccountId): string => tenantPartition(account, 'SEAL');

/** A seal, by the instant at which it ends: ISO 8601 with milliseconds. */
export const sealKey = (account: AccountId, to: string): Key => ({
  pk: sealPartition(account),
  sk: `SEAL#${to}`,
});

/** The sort keys of all seals of an account, and of those that end later than an instant. */
export const sealRange = { from: 'SEAL#', to: 'SEAL#~' } as const;
// Nothing sorts between a key and the same key followed by a space.
export const sealsAfter = (instant: string) => ({ from: `SEAL#${instant} `, to: 'SEAL#~' });

/** The leaves of a seal, by the root computed from them: leaves that do not match their root are detected. */
export const sealLeavesKey = (account: AccountId, root: string): Key => ({
  pk: sealPartition(account),
  sk: `LEAVES#${root}`,
});

/** The newest seal of an account, in another partition: cutting off seals requires a change of this item too. */
export const sealHeadKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'SEALHEAD'),
  sk: 'SEALHEAD',
});
