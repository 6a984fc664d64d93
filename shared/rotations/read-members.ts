import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { isActiveMember } from '../people/users/rules.ts';
import type { Membership } from '../people/users/schema.ts';
import { anyMemberNamed, memberships } from '../people/users/store.ts';
import type { Static } from '../schema.ts';
import type { RotationMember, RotationMembersInput, SkippedMember } from './schema.ts';

/** Members of a rotation, and who of them can be given something now: active, and still in the account. */
export interface MembersNow {
  members: RotationMember[];
  eligible: readonly RotationMember[];
  /** The others, and why. */
  skipped: readonly SkippedMember[];
}

/**
 * The members that a request names, as they are stored. Throws `rotation_invalid` for a user that the account
 * does not have, and for one that is named twice. A member of the rotation itself may have left the account.
 */
export async function readMembers(
  account: AccountId,
  wanted: Static<typeof RotationMembersInput>,
  reading?: Promise<{ rotation: { userRotationArray: RotationMember[] } }>,
): Promise<MembersNow> {
  const [before, ...found] = await Promise.all([
    reading,
    ...wanted.map(({ userId: name }) => anyMemberNamed(account, name)),
  ]);
  const members = wanted.map(({ userId: name, weight = 1 }, index) => {
    const held = before?.rotation.userRotationArray.find(({ userId }) => userId === name);
    return memberFrom(found[index], held, weight, index);
  });
  const twice = members.findIndex((member, index) =>
    members.some((other, at) => at < index && other.userId === member.userId),
  );
  if (twice >= 0) throw invalidMember(twice, 'is in the rotation already');
  return withEligibility(members, byId(found));
}

function memberFrom(
  member: Membership | undefined,
  held: RotationMember | undefined,
  weight: number,
  index: number,
): RotationMember {
  if (!member && held) return { ...held, weight };
  if (!member) throw invalidMember(index, 'names no user of this account');
  return { userId: String(member.id), email: member.email, name: member.name ?? member.email, weight };
}

const invalidMember = (index: number, message: string): ApiError =>
  new ApiError('rotation_invalid', { details: [{ field: `userRotationArray[${index}].userId`, message }] });

/** The members of one or several rotations of an account as they are now, read in one request for each hundred. */
export async function readMembersNow(
  account: AccountId,
  rotations: readonly RotationMember[][],
): Promise<MembersNow[]> {
  const ids = rotations.flatMap((members) => members.map(({ userId: id }) => Number(id)));
  const found = byId(await memberships.findMany(account, ids));
  return rotations.map((members) => withEligibility(members, found));
}

const byId = (found: readonly (Membership | undefined)[]): ReadonlyMap<string, Membership> =>
  new Map(found.flatMap((member) => (member ? [[String(member.id), member]] : [])));

function withEligibility(members: RotationMember[], found: ReadonlyMap<string, Membership>): MembersNow {
  const reasons = members.map(({ userId }) => reasonToSkip(found.get(userId)));
  return {
    members,
    eligible: members.filter((_, index) => reasons[index] === undefined),
    skipped: members.flatMap(({ userId }, index) => {
      const reason = reasons[index];
      return reason ? [{ userId, reason }] : [];
    }),
  };
}

function reasonToSkip(member: Membership | undefined): SkippedMember['reason'] | undefined {
  if (!member || member.invited) return 'not_member';
  return isActiveMember(member) ? undefined : 'inactive';
}
