import type { Account, AccountEntry } from '../../accounts/schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { Roles } from '../roles/schema.ts';
import { preferencesByAccount, rulesFor } from './notification-preferences.ts';
import { readMemberships } from './read-memberships.ts';
import { accountsByPrimacy, permissionsOf, roleNames } from './rules.ts';
import type { Membership, StoredUser, User } from './schema.ts';

/** A user and the membership through which an account sees it. */
export interface Member {
  user: StoredUser;
  membership: Membership;
}

/**
 * A user as the named account sees it: what it is and may do there, and nothing of its other accounts, which only
 * the user itself is shown. Interface, "User".
 */
export async function userView(
  { user, membership }: Member,
  roles: Roles,
  account: Account,
  viewer: SignedIn,
): Promise<User> {
  const isSelf = viewer.kind === 'user' && viewer.id === user.id;
  const rules = membership.invited ? [] : rulesFor(user.notificationPreferences, account.id);
  return {
    ...memberView(membership, roles),
    accounts: isSelf ? (await readMemberships(user)).accounts : [accountEntry({ user, membership }, account)],
    notificationPreferences: preferencesByAccount(isSelf ? user.notificationPreferences : rules),
  };
}

/** A membership as its account sees it, which knows of no other: primary is the home, or else the first account. */
export const accountEntry = ({ user, membership }: Member, account: Account): AccountEntry => ({
  accountId: account.id,
  accountName: account.name,
  usersPrimaryAccount: accountsByPrimacy(user)[0] === account.id,
  accountAdmin: membership.accountAdmin,
});

/** What a membership alone shows of a user; lists show no more. */
export function memberView(membership: Membership, roles: Roles) {
  const { accountId: _, accountAdmin, roleIds, flatPermissionsList, invited, ...shown } = membership;
  return {
    ...shown,
    invited: invited === true,
    flatRolesList: roleNames(membership, roles),
    flatPermissionsList: permissionsOf(membership, roles),
  };
}
