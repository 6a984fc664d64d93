import type { Membership, StoredUser } from './user.ts';

/**
 * Whether a member takes part in the account: active there, and no longer merely invited. Only then does the
 * membership grant anything, and only then is anything assigned.
 */
export const isActiveMember = ({ active, invited }: Pick<Membership, 'active' | 'invited'>): boolean =>
  active && !invited;

/**
 * The accounts a user belongs to, its home before all others. Its primary account is the first of them where it is an
 * active member, for the session view and for a request that names no account alike.
 */
export const accountsByPrimacy = ({ home, accountIds }: Pick<StoredUser, 'home' | 'accountIds'>): string[] =>
  [...accountIds].sort((one, other) => Number(other === home) - Number(one === home));

/** Whether a user belongs to this account and to no other, invitations to others included. */
export const belongsOnlyTo = (
  account: string,
  { accountIds, invitedTo = [] }: Pick<StoredUser, 'accountIds' | 'invitedTo'>,
): boolean => [...accountIds, ...invitedTo].every((id) => id === account);
