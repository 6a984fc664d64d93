import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The settings of an account's payouts. */
export const payoutSettingsKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'PAYOUTSETTINGS'),
  sk: 'SETTINGS',
});

/** The numbers that the account's NACHA files have taken. It changes in the transactions that create them. */
export const payoutNumbersKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'PAYOUTNUMBERS'),
  sk: 'LAST',
});

/** The partition that finds a payout by the trace number of an entry. */
export const tracePartition = (account: AccountId): string => tenantPartition(account, 'PAYOUTTRACES');

/** The item of a payout whose first entry has this trace number, of 15 digits. */
export const traceKey = (account: AccountId, firstTrace: string): Key => ({
  pk: tracePartition(account),
  sk: tracePosition(firstTrace),
});

export const tracePosition = (trace: string): string => `TRACE#${trace}`;
