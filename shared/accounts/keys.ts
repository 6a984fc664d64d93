import type { AccountId } from '../id/account-id.ts';
import {
  accountRecordPartition,
  digits,
  type Key,
  partitionAcrossAccounts,
  tenantPartition,
} from '../table/keys.ts';

export const accountKey = (account: AccountId): Key => ({
  pk: accountRecordPartition(account),
  sk: 'ACCOUNT',
});

/** The key of a former SLA policy. `number` is the account version that introduced the policy. */
export const slaPolicyKey = (account: AccountId, number: number): Key => ({
  pk: tenantPartition(account, 'SLAPOLICY'),
  sk: digits(number),
});

/** The partition that lists all accounts, for operators. */
export const accountsAcrossAccountsPartition = (): string => partitionAcrossAccounts('ACCOUNTS');

export const listedAccountAcrossAccountsKey = (account: AccountId): Key => ({
  pk: accountsAcrossAccountsPartition(),
  sk: account,
});
