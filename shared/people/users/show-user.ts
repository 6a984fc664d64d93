import type { Account, AccountEntry } from '../../accounts/schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { Roles } from '../roles/schema.ts';
import { isProvedSelf } from './is-self.ts';
import { preferencesByAccount, rulesFor } from './notification-preferences.ts';
import { readMemberships } from './read-memberships.ts';
import { memberPermissions, roleNames } from './rules.ts';
import type { Membership, StoredUser, User } from './schema.ts';

export interface Member {
  user: StoredUser;
  membership: Membership;
}

/** Returns a user as shown to an account. Only the user with a proved password may see the user's other accounts. */
export async function showUser(
  { user, membership }: Member,
  roles: Roles,
  account: Account,
  viewer: SignedIn,
): Promise<User> {
  const isSelf = isProvedSelf(viewer, user);
  const rules = rulesFor(user.notificationPreferences, account.id);
  return {
    ...showMember(membership, roles),
    accounts: isSelf ? (await readMemberships(user)).accounts : [accountEntry({ user, membership }, account)],
    notificationPreferences: preferencesByAccount(isSelf ? user.notificationPreferences : rules),
  };
}

/**
 * A membership as shown to its account. `usersPrimaryAccount` is true for the user's first account, whether or not the
 * user is active there.
 */
export const accountEntry = ({ user, membership }: Member, account: Account): AccountEntry => ({
  accountId: account.id,
  accountName: account.name,
  usersPrimaryAccount: user.accountIds[0] === account.id,
  accountAdmin: membership.accountAdmin,
});

/** The fields of a user that come from the membership. Lists show only these fields. */
export function showMember(membership: Membership, roles: Roles) {
  const {
    accountId: _,
    accountAdmin,
    roleIds,
    flatPermissionsList,
    invited,
    invitationId,
    managedTeamIds,
    identity,
    provisioned,
    sessionsEndedAt,
    ...shown
  } = membership;
  return {
    ...shown,
    invited: invited === true,
    flatRolesList: roleNames(membership, roles),
    flatPermissionsList: memberPermissions(membership, roles),
  };
}
