import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, partitionAcrossAccounts, tenantPartition } from '../../table/keys.ts';

/** A user is stored in the account that created it. */
export const userKey = (home: AccountId, userId: number): Key => ({
  pk: tenantPartition(home, 'USER', digits(userId)),
  sk: 'USER',
});

/** The user with this email, across accounts, because a login names no account. */
export const emailAcrossAccountsKey = (email: string): Key => ({
  pk: partitionAcrossAccounts('EMAIL', email),
  sk: 'EMAIL',
});

/** An invitation or reset token, across accounts, because its bearer is not authenticated. */
export const passwordTokenAcrossAccountsKey = (digest: string): Key => ({
  pk: partitionAcrossAccounts('PASSWORDTOKEN', digest),
  sk: 'TOKEN',
});

/**
 * The parts of an account's subscriber index: for each event kind, a row per member with a rule for it; the
 * administrators; the users whose rows must be rewritten; and the list of rows of each user.
 */
type SubscriberListName = Lowercase<string> | 'ADMINISTRATORS' | 'CHANGED' | 'ROWS';

export const subscriberPartition = (account: AccountId, of: SubscriberListName): string =>
  tenantPartition(account, 'AUDIENCE', of);

export const subscriberKey = (account: AccountId, of: SubscriberListName, userId: number): Key => ({
  pk: subscriberPartition(account, of),
  sk: digits(userId),
});

export const subscribersAfter = (after: number): { from: string; to: string } => ({
  from: digits(after + 1),
  to: '~',
});
