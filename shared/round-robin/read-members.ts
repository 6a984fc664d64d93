import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Static } from '../schema.ts';
import { isActiveMember } from '../users/rules.ts';
import type { Membership } from '../users/schema.ts';
import { anyMemberNamed, memberships } from '../users/store.ts';
import type { RotationMember, RotationMembersInput } from './schema.ts';

/** Members, and those of them who can be given something now: active, and still in the account. */
export interface MembersNow {
  members: readonly RotationMember[];
  eligible: readonly RotationMember[];
}

/**
 * The members that a request names, as they are stored. Throws `rotation_invalid` for a user that the account
 * does not have, and for one that is named twice.
 */
export async function readMembers(
  account: AccountId,
  wanted: Static<typeof RotationMembersInput>,
): Promise<MembersNow & { members: RotationMember[] }> {
  const found = await Promise.all(wanted.map(({ userId: name }) => anyMemberNamed(account, name)));
  const members = found.map((member, index) => memberOf(member, wanted[index]?.weight ?? 1, index));
  const twice = members.findIndex((member, index) =>
    members.some((other, at) => at < index && other.userId === member.userId),
  );
  if (twice >= 0) throw invalidMember(twice, 'is in the rotation already');
  const eligible = members.filter((_, index) => {
    const member = found[index];
    return member !== undefined && isActiveMember(member);
  });
  return { members, eligible };
}

function memberOf(member: Membership | undefined, weight: number, index: number): RotationMember {
  if (!member) throw invalidMember(index, 'names no user of this account');
  return { userId: String(member.id), email: member.email, name: member.name ?? member.email, weight };
}

const invalidMember = (index: number, message: string): ApiError =>
  new ApiError('rotation_invalid', { details: [{ field: `userRotationArray[${index}].userId`, message }] });

/** The members who can be given something now: active, and still in the account. */
export async function eligibleMembers(
  account: AccountId,
  members: readonly RotationMember[],
): Promise<RotationMember[]> {
  const found = await memberships.findMany(
    account,
    members.map(({ userId: id }) => Number(id)),
  );
  const active = new Set(found.filter(isActiveMember).map(({ id }) => String(id)));
  return members.filter((member) => active.has(member.userId));
}
