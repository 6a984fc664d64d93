import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

const balancePartition = (account: AccountId, beneficiary: string): string =>
  tenantPartition(account, 'RESIDUALBALANCE', beneficiary);

/** The key of what the statements of a beneficiary for a month add up to. */
export const monthSumsKey = (account: AccountId, beneficiary: string, month: string): Key => ({
  pk: balancePartition(account, beneficiary),
  sk: `MONTH#${month}`,
});

/** The key of what a beneficiary owes. */
export const owedKey = (account: AccountId, beneficiary: string): Key => ({
  pk: balancePartition(account, beneficiary),
  sk: 'BALANCE',
});
