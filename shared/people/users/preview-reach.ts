import type { MatchCount } from '../../endpoints/count-list.ts';
import {
  array,
  boolean,
  integer,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import { Role, type Roles } from '../roles/schema.ts';
import {
  AccessList,
  accessOf,
  type CountedType,
  type CountingRequest,
  countedTypes,
  countReadable,
  mayCount,
  type ReadAccess,
} from './count-reach.ts';
import { memberAsCaller } from './member-as-caller.ts';
import type { Membership } from './schema.ts';
import { readAllMembers } from './store.ts';

/** The most users whose records are counted. Each count reads up to 1,000 records. */
const mostUsers = 20;

const Count = object(
  {
    count: integer({ minimum: 0, examples: [12] }),
    isExact: boolean({ description: 'If false, `count` is a lower bound.' }),
  },
  { description: 'Absent if the caller may not read all records of the type.' },
);

const ChangedReach = object({
  id: recordId({ description: 'The id of the user.' }),
  email: string({ examples: ['grace@example.com'] }),
  type: oneOf(countedTypes, { description: 'The type of the records.' }),
  accessBefore: AccessList,
  accessAfter: AccessList,
  before: optional(Count),
  after: optional(Count),
  gained: optional(Count),
  lost: optional(Count),
});
type ChangedReach = Static<typeof ChangedReach>;

const ReachPreview = object(
  {
    affectedUsers: integer({
      minimum: 0,
      examples: [3],
      description: 'The number of active users whose permissions to read records change.',
    }),
    changes: optional(
      array(ChangedReach, {
        description:
          'The changes for each affected user and each type of records, of the first 20 affected users by email. Absent if the caller may not read users.',
      }),
    ),
  },
  { description: 'Only in the answer of a dry run: the records that users gain and lose.' },
);
type ReachPreview = Static<typeof ReachPreview>;

/** The response of a change of a role's permissions. */
export const ChangedRole = object({ ...Role.properties, reach: optional(ReachPreview) });

/**
 * Returns how many records of each type the users with a role gain and lose if the roles change. The counts have the same
 * conditions as those of `countReach`: the caller must reach all records of the type, or be the user. Users with
 * other roles that give the same records are not affected.
 */
export async function previewReach(
  request: CountingRequest,
  roleId: number,
  { before, after }: { before: Roles; after: Roles },
): Promise<ReachPreview> {
  const members = await readAllMembers(request.account);
  const affected = members
    .filter(({ roleIds }) => roleIds.includes(roleId))
    .map((membership) => ({
      membership,
      was: memberAsCaller(membership, before),
      willBe: memberAsCaller(membership, after),
    }))
    .map((one) => ({ ...one, types: countedTypes.filter((type) => differs(one, type)) }))
    .filter(({ types }) => types.length > 0)
    .sort((one, other) => (one.membership.email < other.membership.email ? -1 : 1));
  if (!request.principal.permissions.has('readUsers')) return { affectedUsers: affected.length };
  const changes: ChangedReach[] = [];
  // One user after the other, so that a preview does not send hundreds of requests at once.
  for (const { types, ...change } of affected.slice(0, mostUsers))
    changes.push(...(await Promise.all(types.map((type) => changeOf(request, change, type)))));
  return { affectedUsers: affected.length, changes };
}

/** A member, as a caller before and after the change. */
interface ChangedMember {
  membership: Membership;
  was: SignedIn;
  willBe: SignedIn;
}

const differs = ({ was, willBe }: Pick<ChangedMember, 'was' | 'willBe'>, type: CountedType): boolean =>
  accessOf(was, type).join() !== accessOf(willBe, type).join();

async function changeOf(
  request: CountingRequest,
  { membership, was, willBe }: ChangedMember,
  type: CountedType,
): Promise<ChangedReach> {
  const { id, email } = membership;
  const [accessBefore, accessAfter] = [accessOf(was, type), accessOf(willBe, type)];
  const change = { id, email, type, accessBefore, accessAfter };
  if (!mayCount(request, membership, type)) return change;
  const [before, after] = await Promise.all([was, willBe].map((one) => countReadable(request, one, type)));
  if (!before || !after) return change;
  if (includes(accessAfter, accessBefore))
    return { ...change, before, after, gained: differenceOf(after, before), lost: nothing };
  if (includes(accessBefore, accessAfter))
    return { ...change, before, after, gained: nothing, lost: differenceOf(before, after) };
  const permissions = new Set([...was.permissions, ...willBe.permissions]);
  const both = await countReadable(request, { ...was, permissions }, type);
  return { ...change, before, after, gained: differenceOf(both, before), lost: differenceOf(both, after) };
}

const nothing: MatchCount = { count: 0, isExact: true };

/** Reports whether an access includes all records of another one. */
const includes = (wide: readonly ReadAccess[], narrow: readonly ReadAccess[]): boolean =>
  wide.includes('all') ||
  narrow.every((access) => wide.includes(access) || (access === 'own' && wide.includes('team')));

/**
 * Returns the number of records in `wide` that are not in `narrow`, which contains no others. If one of the counts is a lower
 * bound, the result is one, too. It is 0 if `narrow` may contain more records than were counted.
 */
export const differenceOf = (wide: MatchCount, narrow: MatchCount): MatchCount => ({
  count: narrow.isExact ? Math.max(0, wide.count - narrow.count) : 0,
  isExact: wide.isExact && narrow.isExact,
});
