import { notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { requireMember } from '../people/users/find-member.ts';
import type { Membership } from '../people/users/schema.ts';
import type { Member } from '../people/users/show-user.ts';
import { findMemberByReference, memberships, readAllMembers } from '../people/users/store.ts';
import type { Json } from './evaluate-filter.ts';
import { matches } from './evaluate-filter.ts';
import type { ScimFilter } from './filter-syntax.ts';
import type { MappedGroup } from './schema.ts';
import { showScimUser } from './scim-user.ts';

/** Reports whether a member belongs to a group. */
export const isIn = (
  { roleIds, teamId }: Pick<Membership, 'roleIds' | 'teamId'>,
  group: Pick<MappedGroup, 'roleId' | 'teamId'>,
): boolean =>
  group.roleId === undefined
    ? teamId !== undefined && teamId === group.teamId
    : roleIds.includes(group.roleId);

export const showMemberOf = (member: Membership, groups: readonly MappedGroup[], base: string): Json =>
  showScimUser(
    member,
    groups.filter((group) => isIn(member, group)),
    base,
  );

/** Returns the member with the id of a path. Throws `not_found`, also for an email. */
export async function requireScimMember(account: AccountId, id: string): Promise<Member> {
  if (asRecordId(id) === undefined) throw notFound('user', id);
  return requireMember(account, id);
}

/**
 * Returns the candidates for a filter, sorted by id. The filters with which identity providers search one user before each
 * change, by `userName` and `id`, read only this user. All others read every member.
 */
export async function findCandidates(
  account: AccountId,
  filter: ScimFilter | undefined,
): Promise<Membership[]> {
  const named = filter && nameIn(filter);
  if (named !== undefined) {
    const member = await findMemberByReference(account, named);
    return member ? [member] : [];
  }
  return (await readAllMembers(account)).sort((one, other) => one.id - other.id);
}

/** Returns the user name or id that every match of a filter has. */
function nameIn(filter: ScimFilter): string | undefined {
  if (filter.op === 'and') return nameIn(filter.left) ?? nameIn(filter.right);
  if (filter.op !== 'eq' || typeof filter.value !== 'string' || filter.attribute.sub !== undefined)
    return undefined;
  const isName = filter.attribute.name.toLowerCase() === 'username' && filter.value.includes('@');
  return isName || filter.attribute.name === 'id' ? filter.value : undefined;
}

export const isMatch = (filter: ScimFilter | undefined, resource: Json): boolean =>
  filter === undefined || matches(filter, resource);

/** Returns the members with these ids, in any order, without those that do not exist. */
export async function findMembers(account: AccountId, ids: readonly string[]): Promise<Membership[]> {
  const known = ids.flatMap((id) => asRecordId(id) ?? []);
  return known.length > 0 ? memberships.findMany(account, known) : [];
}
