import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { isActiveMember } from '../people/users/rules.ts';
import type { Membership } from '../people/users/schema.ts';
import { findMemberByReference, memberships } from '../people/users/store.ts';
import type { Static } from '../schema.ts';
import type { RotationMember, RotationMembersInput, SkippedMember } from './schema.ts';

export interface CurrentMembers {
  members: RotationMember[];
  eligible: readonly RotationMember[];
  skipped: readonly SkippedMember[];
}

/**
 * Converts the rotation members in a request body to their stored form. Throws `rotation_invalid` for a duplicate
 * member, and for a user who is neither in the account nor already in this rotation.
 */
export async function readMembers(
  account: AccountId,
  wanted: Static<typeof RotationMembersInput>,
  reading?: Promise<{ rotation: { userRotationArray: RotationMember[] } }>,
): Promise<CurrentMembers> {
  const [before, ...found] = await Promise.all([
    reading,
    ...wanted.map(({ userId: name }) => findMemberByReference(account, name)),
  ]);
  const members = wanted.map(({ userId: name, weight = 1 }, index) => {
    const held = before?.rotation.userRotationArray.find(({ userId }) => userId === name);
    return memberFrom(found[index], held, weight, index);
  });
  const duplicate = members.findIndex((member, index) =>
    members.some((other, at) => at < index && other.userId === member.userId),
  );
  if (duplicate >= 0) throw invalidMember(duplicate, 'is already in the rotation');
  return withEligibility(members, byId(found));
}

function memberFrom(
  member: Membership | undefined,
  held: RotationMember | undefined,
  weight: number,
  index: number,
): RotationMember {
  if (!member && held) return { ...held, weight };
  if (!member) throw invalidMember(index, 'is not a user of this account');
  return { userId: String(member.id), email: member.email, name: member.name ?? member.email, weight };
}

const invalidMember = (index: number, message: string): ApiError =>
  new ApiError('rotation_invalid', { details: [{ field: `userRotationArray[${index}].userId`, message }] });

/** Returns the members of one or more rotations with their current eligibility, in one request per 100 members. */
export async function readCurrentMembersOf(
  account: AccountId,
  rotations: readonly RotationMember[][],
): Promise<CurrentMembers[]> {
  const ids = rotations.flatMap((members) => members.map(({ userId: id }) => Number(id)));
  const found = byId(await memberships.findMany(account, ids));
  return rotations.map((members) => withEligibility(members, found));
}

const byId = (found: readonly (Membership | undefined)[]): ReadonlyMap<string, Membership> =>
  new Map(found.flatMap((member) => (member ? [[String(member.id), member]] : [])));

function withEligibility(members: RotationMember[], found: ReadonlyMap<string, Membership>): CurrentMembers {
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
