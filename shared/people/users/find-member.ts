import { notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
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

/**
 * Returns the member with this email or decimal id. Undefined if there is none, or if the person exists only in other
 * accounts. A path cannot contain every email: API Gateway decodes `/` and `?` before it chooses the route.
 */
export async function findMember(account: AccountId, name: string): Promise<Member | undefined> {
  const id = asRecordId(name);
  const known = id === undefined ? undefined : await memberships.find(account, id);
  const address = await users.addressByEmailAcrossAccounts(known?.email ?? name);
  if (!address) return undefined;
  const [user, membership] = await Promise.all([
    users.find(address),
    known ?? memberships.find(account, address.id),
  ]);
  return user && membership && { user, membership };
}

/** Returns the member like `findMember`. Throws `not_found`. */
export async function requireMember(account: AccountId, name: string): Promise<Member> {
  const member = await findMember(account, name);
  if (!member) throw notFound('user', name);
  return member;
}

/** Returns the accepted memberships in other accounts. */
export async function membershipsElsewhere(user: StoredUser, account: AccountId): Promise<Membership[]> {
  const ids = user.accountIds.filter((id) => id !== account);
  const items = await getItems(ids.map((id) => recordKey(id, 'MEMBER', user.id)));
  return items.flatMap((item) => (item ? [recordOf<Membership>(item)] : []));
}

/** Throws unless the principal has every permission of the member, even if the member is inactive. */
export const requireHoldsAllOf = (principal: Principal, membership: Membership, roles: Roles): void =>
  requireHoldsAll(principal, {
    administrator: membership.accountAdmin,
    permissions: effectivePermissions(membership, roles),
  });
