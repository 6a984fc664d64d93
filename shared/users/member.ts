import type { AccountId } from '../accounts/account-id.ts';
import { effectivePermissions } from '../auth/authority.ts';
import type { Caller } from '../auth/caller.ts';
import { requireReach } from '../auth/grants.ts';
import { Refusal } from '../http/errors.ts';
import type { Roles } from '../roles/role.ts';
import { recordOf } from '../table/item.ts';
import { recordKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import type { Membership, StoredUser } from './user.ts';
import type { Member } from './user-view.ts';
import { memberships, users } from './users.ts';

/** The member of an account with this email. Refuses with `not_found`, whether the user exists elsewhere or not. */
export async function memberByEmail(account: AccountId, email: string): Promise<Member> {
  const address = await users.addressByEmailAcrossAccounts(email);
  if (!address) throw new Refusal('not_found');
  const [user, membership] = await Promise.all([users.find(address), memberships.find(account, address.id)]);
  if (!user || !membership) throw new Refusal('not_found');
  return { user, membership };
}

/** What a user has accepted in other accounts: a change of its profile reaches it all. Most users have none to read. */
export async function membershipsElsewhere(user: StoredUser, account: AccountId): Promise<Membership[]> {
  const ids = user.accountIds.filter((id) => id !== account) as AccountId[];
  const items = await getItems(ids.map((id) => recordKey(id, 'MEMBER', user.id)));
  return items.flatMap((item) => (item ? [recordOf<Membership>(item)] : []));
}

/**
 * Refuses unless the caller may change who somebody is: the user itself, or an administrator of the account where
 * it was made, in that account and as long as it never left. An administrator elsewhere shares the user and does not
 * own it.
 */
export function requireOwner(caller: Caller, account: AccountId, user: StoredUser): void {
  if (isSelf(caller, user)) return;
  if (!caller.administrator || account !== user.owner) throw new Refusal('home_only');
}

/** Refuses unless the caller holds all that the member does, or would if it were active. */
export const requireReachOf = (caller: Caller, membership: Membership, roles: Roles): void =>
  requireReach(caller, {
    administrator: membership.accountAdmin,
    permissions: effectivePermissions(membership, roles),
  });

export const isSelf = (caller: Caller, { id }: { id: number }): boolean =>
  caller.kind === 'user' && caller.id === id;
