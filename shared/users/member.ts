import type { AccountId } from '../accounts/account-id.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../http/errors.ts';
import { recordOf } from '../table/item.ts';
import { recordKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import type { Write } from '../table/write.ts';
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

/** Every membership of a user: a change of its profile reaches them all. */
export async function membershipsOf(user: StoredUser): Promise<Membership[]> {
  const ids = user.accountIds as AccountId[];
  const items = await getItems(ids.map((id) => recordKey(id, 'MEMBER', user.id)));
  return items.flatMap((item) => (item ? [recordOf<Membership>(item)] : []));
}

/**
 * Refuses unless the caller may change who somebody is: the user itself, or an administrator of the account where
 * it was made, in that account. An administrator elsewhere shares the user and does not own it.
 */
export function requireOwner(caller: Caller, account: AccountId, user: StoredUser): void {
  if (isSelf(caller, user)) return;
  if (!caller.administrator || account !== user.home) throw new Refusal('home_only');
}

/** Refuses unless the caller may change what a member is and may do here: nobody below an administrator changes one. */
export function requireAuthorityOver(caller: Caller, membership: Membership): void {
  if (membership.accountAdmin && !caller.administrator) throw new Refusal('administrator_only');
}

export const isSelf = (caller: Caller, { id }: { id: number }): boolean =>
  caller.kind === 'user' && caller.id === id;

/** The writes of a change of a member; a key guards each record that changed. */
export const replaceMember = (before: Member, after: Member): Write[] => [
  ...memberships.replace(before.membership, after.membership),
  ...users.replace(before.user, after.user),
];
