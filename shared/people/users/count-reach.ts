import type { MatchCount } from '../../endpoints/count-list.ts';
import type { Request } from '../../endpoints/endpoint.ts';
import { check } from '../../endpoints/validation.ts';
import { limitedPermissions, reachedRecords } from '../../resources/derived.ts';
import type { ReachedType } from '../../resources/registry.ts';
import { array, boolean, integer, object, oneOf, optional, type Static, type TObject } from '../../schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import { reachesEvery } from '../../security/reach.ts';
import type { Roles } from '../roles/schema.ts';
import { isSelf } from './is-self.ts';
import { memberAsCaller } from './member-as-caller.ts';
import type { Membership } from './schema.ts';

export const countedTypes = [
  'lead',
  'application',
  'merchant',
  'ticket',
] as const satisfies readonly ReachedType[];
export type CountedType = (typeof countedTypes)[number];

const accesses = ['all', 'team', 'own', 'unassigned'] as const;
export type ReadAccess = (typeof accesses)[number];

export const AccessList = array(oneOf(accesses), {
  description:
    'The records that the permissions of the user include. `team` includes `own`. Empty if the user can read none.',
  examples: [['team', 'unassigned']],
});

const ReachOfType = object({
  access: AccessList,
  count: optional(
    integer({
      minimum: 0,
      examples: [12],
      description: 'Absent if another user asks who may not read all records of the type.',
    }),
  ),
  isExact: optional(boolean({ description: 'If false, `count` is a lower bound.' })),
});
type ReachOfType = Static<typeof ReachOfType>;

export const UserReach = object(
  Object.fromEntries(countedTypes.map((type) => [type, ReachOfType])) as Record<
    CountedType,
    TObject<(typeof ReachOfType)['properties']>
  >,
);
export type UserReach = Static<typeof UserReach>;

/** Returns the access that the permissions of a caller give to the records of a type. */
export function accessOf({ permissions }: Pick<SignedIn, 'permissions'>, type: ReachedType): ReadAccess[] {
  const { read } = reachedRecords[type];
  if (permissions.has(read)) return ['all'];
  const { team, own, unassigned } = limitedPermissions[read] ?? {};
  const has = (name: typeof read | undefined) => name !== undefined && permissions.has(name);
  const owned: ReadAccess[] = has(team) ? ['team'] : has(own) ? ['own'] : [];
  return has(unassigned) ? [...owned, 'unassigned'] : owned;
}

/** A request that counts records with the lists. */
export type CountingRequest = Request<{ runsLists: true }>;

/** Returns whether the caller of a request may know how many records of a type a member can read. */
export const mayCount = (
  { principal }: CountingRequest,
  membership: Membership,
  type: ReachedType,
): boolean => isSelf(principal, membership) || reachesEvery(principal, type, 'read');

/** Counts the records of a type that a principal can read, as the list counts them for the principal. */
export async function countReadable(
  request: CountingRequest,
  principal: SignedIn,
  type: CountedType,
): Promise<MatchCount> {
  if (accessOf(principal, type).length === 0) return { count: 0, isExact: true };
  const { endpoint, query } = request.lists[type];
  return endpoint.count({ ...request, principal, params: {}, query: check(query, {}) });
}

/** Counts the records of each type that a member can read, as the lists count them for the member. */
export async function countReach(
  request: CountingRequest,
  membership: Membership,
  roles: Roles,
): Promise<UserReach> {
  const principal = memberAsCaller(membership, roles);
  const reachOf = async (type: CountedType): Promise<ReachOfType> => {
    const access = accessOf(principal, type);
    if (!mayCount(request, membership, type)) return { access };
    return { access, ...(await countReadable(request, principal, type)) };
  };
  const [lead, application, merchant, ticket] = await Promise.all([
    reachOf('lead'),
    reachOf('application'),
    reachOf('merchant'),
    reachOf('ticket'),
  ]);
  return { lead, application, merchant, ticket };
}
