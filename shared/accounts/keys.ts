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

/** The key of the item with the progress of a closed account's export and erasure. */
export const closingKey = (account: AccountId): Key => ({
  pk: accountRecordPartition(account),
  sk: 'CLOSING',
});

/** The name of closings in the index `due`. */
export const closingNoun = 'CLOSING';

/** The partition with the proofs of all erased accounts. */
export const erasedAccountsAcrossAccountsPartition = (): string => partitionAcrossAccounts('ERASEDACCOUNTS');

export const erasedAccountAcrossAccountsKey = (account: AccountId): Key => ({
  pk: erasedAccountsAcrossAccountsPartition(),
  sk: account,
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
