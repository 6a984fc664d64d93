import type { AccountId } from '../../id/account-id.ts';
import { loginFailuresAcrossAccountsPartition } from '../../security/keys.ts';
import { digits, type Key, partitionAcrossAccounts, tenantPartition } from '../../table/keys.ts';

/** A user is stored in the account that created it. */
export const userKey = (home: AccountId, userId: number): Key => ({
  pk: tenantPartition(home, 'USER', digits(userId)),
  sk: 'USER',
});

/** The accounts with an open invitation of a person, next to the person. */
export const invitationsKey = (home: AccountId, userId: number): Key => ({
  pk: userKey(home, userId).pk,
  sk: 'INVITATIONS',
});

/** The second factors of a person, next to the person. */
export const factorsKey = (home: AccountId, userId: number): Key => ({
  pk: userKey(home, userId).pk,
  sk: 'FACTORS',
});

/** The counter of the invitation mails of an account on the first level and all accounts below it. */
export const invitationMailsOfRootKey = (root: AccountId): Key => ({
  pk: tenantPartition(root, 'INVITATIONMAILS'),
  sk: 'COUNT',
});

/** The counter of the invitation mails to an address, from all accounts together. */
export const invitationMailsAcrossAccountsKey = (email: string): Key => ({
  pk: loginFailuresAcrossAccountsPartition(email),
  sk: 'invitations',
});

/** Maps an email to its user across all accounts, because a login request contains no account id. */
export const emailAcrossAccountsKey = (email: string): Key => ({
  pk: partitionAcrossAccounts('EMAIL', email),
  sk: 'EMAIL',
});

/** Maps the id of a person with passkeys to the person, because a login with a passkey contains no account id and no email. */
export const passkeyHolderAcrossAccountsKey = (userId: number): Key => ({
  pk: partitionAcrossAccounts('PASSKEYHOLDER', digits(userId)),
  sk: 'HOLDER',
});

/** An invitation or reset token. Its key contains no account id, because a request with a token names no account. */
export const passwordTokenAcrossAccountsKey = (digest: string): Key => ({
  pk: partitionAcrossAccounts('PASSWORDTOKEN', digest),
  sk: 'TOKEN',
});

/**
 * The parts of an account's subscriber index. For each event kind: the members with a rule. `ADMINISTRATORS`:
 * the administrators. `CHANGED`: the users whose rows are out of date. `ROWS`: the list of each user's rows.
 */
type SubscriberListName = Lowercase<string> | 'ADMINISTRATORS' | 'CHANGED' | 'ROWS';

export const subscriberPartition = (account: AccountId, of: SubscriberListName): string =>
  tenantPartition(account, 'SUBSCRIBERS', of);

export const subscriberKey = (account: AccountId, of: SubscriberListName, userId: number): Key => ({
  pk: subscriberPartition(account, of),
  sk: digits(userId),
});

export const subscribersAfter = (after: number): { from: string; to: string } => ({
  from: digits(after + 1),
  to: '~',
});
