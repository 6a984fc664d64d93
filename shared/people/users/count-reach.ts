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

const types = ['lead', 'application', 'merchant', 'ticket'] as const satisfies readonly ReachedType[];

const accesses = ['all', 'team', 'own', 'unassigned'] as const;
type Access = (typeof accesses)[number];

const ReachOfType = object({
  access: array(oneOf(accesses), {
    description:
      'The records that the permissions of the user include. `team` includes `own`. Empty if the user can read none.',
    examples: [['team', 'unassigned']],
  }),
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
  Object.fromEntries(types.map((type) => [type, ReachOfType])) as Record<
    (typeof types)[number],
    TObject<(typeof ReachOfType)['properties']>
  >,
);
export type UserReach = Static<typeof UserReach>;

/** Returns the access that the permissions of a caller give to the records of a type. */
function accessOf({ permissions }: SignedIn, type: ReachedType): Access[] {
  const { read } = reachedRecords[type];
  if (permissions.has(read)) return ['all'];
  const { team, own, unassigned } = limitedPermissions[read] ?? {};
  const has = (name: typeof read | undefined) => name !== undefined && permissions.has(name);
  const owned: Access[] = has(team) ? ['team'] : has(own) ? ['own'] : [];
  return has(unassigned) ? [...owned, 'unassigned'] : owned;
}

/** Counts the records of each type that a member can read, as the lists count them for the member. */
export async function countReach(
  request: Request<{ runsLists: true }>,
  membership: Membership,
  roles: Roles,
): Promise<UserReach> {
  const principal = memberAsCaller(membership, roles);
  const reachOf = async (type: (typeof types)[number]): Promise<ReachOfType> => {
    const access = accessOf(principal, type);
    const none: MatchCount = { count: 0, isExact: true };
    const { endpoint, query } = request.lists[type];
    const sent = { ...request, principal, params: {}, query: check(query, {}) };
    const mayCount = isSelf(request.principal, membership) || reachesEvery(request.principal, type, 'read');
    if (!mayCount) return { access };
    const { count, isExact } = access.length > 0 ? await endpoint.count(sent) : none;
    return { access, count, isExact };
  };
  const [lead, application, merchant, ticket] = await Promise.all([
    reachOf('lead'),
    reachOf('application'),
    reachOf('merchant'),
    reachOf('ticket'),
  ]);
  return { lead, application, merchant, ticket };
}
