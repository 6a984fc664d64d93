import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, partitionAcrossAccounts, tenantPartition } from '../../table/keys.ts';

/** A user is stored in the account where it was created. */
export const userKey = (home: AccountId, userId: number): Key => ({
  pk: tenantPartition(home, 'USER', digits(userId)),
  sk: 'USER',
});

/** Finds the user with an email across accounts, because a login names no account. */
export const emailAcrossAccountsKey = (email: string): Key => ({
  pk: partitionAcrossAccounts('EMAIL', email),
  sk: 'EMAIL',
});

/** An invitation or a reset token, across accounts: its bearer is not authenticated and names no account. */
export const passwordTokenAcrossAccountsKey = (digest: string): Key => ({
  pk: partitionAcrossAccounts('PASSWORDTOKEN', digest),
  sk: 'TOKEN',
});

/**
 * The audiences of an account: for each kind of event a row for each member with a rule for it, the administrators, the
 * users whose rows have to be rewritten, and the rows that each user has.
 */
type SubscriberListName = Lowercase<string> | 'ADMINISTRATORS' | 'CHANGED' | 'ROWS';

export const subscriberPartition = (account: AccountId, of: SubscriberListName): string =>
  tenantPartition(account, 'AUDIENCE', of);

export const subscriberKey = (account: AccountId, of: SubscriberListName, userId: number): Key => ({
  pk: subscriberPartition(account, of),
  sk: digits(userId),
});

/** The sort keys of an audience after a user. */
export const subscribersAfter = (after: number): { from: string; to: string } => ({
  from: digits(after + 1),
  to: '~',
});
