import type { Account } from '../accounts/account.ts';
import type { Caller } from '../auth/caller.ts';
import type { Roles } from '../roles/role.ts';
import { permissionsOf, readMemberships, roleNames } from '../sessions/session-view.ts';
import type { AccountEntry } from '../sessions/user-session.ts';
import { preferencesByAccount, rulesFor } from './notification-preference.ts';
import type { Membership, StoredUser, User } from './user.ts';

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
  viewer: Caller,
): Promise<User> {
  const isSelf = viewer.kind === 'user' && viewer.id === user.id;
  const here: AccountEntry = {
    accountId: account.id,
    accountName: account.name,
    usersPrimaryAccount: account.id === user.home,
    accountAdmin: membership.accountAdmin,
  };
  return {
    ...memberView(membership, roles),
    accounts: isSelf ? (await readMemberships(user)).accounts : [here],
    notificationPreferences: preferencesByAccount(
      isSelf ? user.notificationPreferences : rulesFor(user.notificationPreferences, account.id),
    ),
  };
}

/** What a membership alone tells of a user, which is what lists show. */
export function memberView(membership: Membership, roles: Roles) {
  const { accountId: _, accountAdmin, roleIds, flatPermissionsList, ...shown } = membership;
  return {
    ...shown,
    flatRolesList: roleNames(membership, roles),
    flatPermissionsList: permissionsOf(membership, roles),
  };
}
