import { ApiError, notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { requireHoldsAll } from '../../security/grants.ts';
import type { Principal } from '../../security/principal.ts';
import { recordOf } from '../../table/item.ts';
import { recordKey } from '../../table/keys.ts';
import { getItems } from '../../table/read.ts';
import type { Roles } from '../roles/schema.ts';
import { effectivePermissions } from './rules.ts';
import type { Membership, StoredUser } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

/** Returns the member with this email. Also throws `not_found` if the user exists only in other accounts. */
export async function memberByEmail(account: AccountId, email: string): Promise<Member> {
  const address = await users.addressByEmailAcrossAccounts(email);
  if (!address) throw notFound('user', email);
  const [user, membership] = await Promise.all([users.find(address), memberships.find(account, address.id)]);
  if (!user || !membership) throw notFound('user', email);
  return { user, membership };
}

/** Returns the accepted memberships in other accounts, to which a profile change is copied. */
export async function membershipsElsewhere(user: StoredUser, account: AccountId): Promise<Membership[]> {
  const ids = user.accountIds.filter((id) => id !== account);
  const items = await getItems(ids.map((id) => recordKey(id, 'MEMBER', user.id)));
  return items.flatMap((item) => (item ? [recordOf<Membership>(item)] : []));
}

/** Throws `owner_account_only` unless the principal is the user or an administrator of the user's owning account. */
export function requireOwner(principal: Principal, account: AccountId, user: StoredUser): void {
  if (isSelf(principal, user)) return;
  if (!principal.administrator || account !== user.owner) throw new ApiError('owner_account_only');
}

/** Throws unless the principal has every permission of the member, even if the member is inactive. */
export const requireHoldsAllOf = (principal: Principal, membership: Membership, roles: Roles): void =>
  requireHoldsAll(principal, {
    administrator: membership.accountAdmin,
    permissions: effectivePermissions(membership, roles),
  });

export const isSelf = (principal: Principal, { id }: { id: number }): boolean =>
  principal.kind === 'user' && principal.id === id;
