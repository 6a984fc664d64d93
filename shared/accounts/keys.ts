import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, partitionAcrossAccounts, tenantPartition } from '../table/keys.ts';

export const accountKey = (account: AccountId): Key => ({ pk: tenantPartition(account), sk: 'ACCOUNT' });

/** A former SLA policy of the account, by the version of the account that put it into force. */
export const slaPolicyKey = (account: AccountId, number: number): Key => ({
  pk: tenantPartition(account, 'SLAPOLICY'),
  sk: digits(number),
});

/** The directory of all accounts, for operators. Its items are written with each account. */
export const accountsAcrossAccountsPartition = (): string => partitionAcrossAccounts('ACCOUNTS');

export const listedAccountAcrossAccountsKey = (account: AccountId): Key => ({
  pk: accountsAcrossAccountsPartition(),
  sk: account,
});
