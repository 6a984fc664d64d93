import { ApiError } from '../errors.ts';
import { normalizeEmail } from '../formats.ts';
import type { AccountId } from '../id/account-id.ts';
import { isSelf } from '../people/users/is-self.ts';
import { isActiveMember } from '../people/users/rules.ts';
import type { Membership } from '../people/users/schema.ts';
import { findMemberByReference, memberships } from '../people/users/store.ts';
import type { Static } from '../schema.ts';
import type { SignedIn } from '../security/principal.ts';
import type { RotationMember, RotationMembersInput, SkippedMember } from './schema.ts';

export interface CurrentMembers {
  members: RotationMember[];
  eligible: readonly RotationMember[];
  skipped: readonly SkippedMember[];
}

/** A member in a request body. `user` is undefined if no user of the account has the id or email in `userId`. */
interface NamedMember extends Pick<RotationMember, 'userId' | 'weight'> {
  user: Membership | undefined;
}

/** Reads the users that a request body names by id or email. */
export const readNamedMembers = (
  account: AccountId,
  wanted: Static<typeof RotationMembersInput>,
): Promise<NamedMember[]> =>
  Promise.all(
    wanted.map(async ({ userId, weight }) => ({
      userId,
      weight,
      user: await findMemberByReference(account, userId),
    })),
  );

/**
 * Converts named members to their stored form. A rotation contains copies of the names and emails of its members, which
 * every reader of the rotation sees. Therefore a caller without `readUsers` can add only itself, and the copies of the
 * members in `before` stay unchanged. Throws `permission_denied` if such a caller names another user, and
 * `rotation_invalid` for a duplicate, and for a user who is neither in the account nor in `before`.
 */
export function membersFrom(
  named: readonly NamedMember[],
  principal: SignedIn,
  before: readonly RotationMember[] = [],
): CurrentMembers {
  const members = named.map((one, index) => {
    const held = before.find(
      ({ userId, email }) => userId === one.userId || email === normalizeEmail(one.userId),
    );
    return memberFrom(one, held, principal, index);
  });
  const duplicate = members.findIndex((member, index) =>
    members.some((other, at) => at < index && other.userId === member.userId),
  );
  if (duplicate >= 0) throw invalidMember(duplicate, 'is already in the rotation');
  return withEligibility(members, byId(named.map(({ user }) => user)));
}

function memberFrom(
  { user, weight }: NamedMember,
  held: RotationMember | undefined,
  principal: SignedIn,
  index: number,
): RotationMember {
  const mayRead = principal.permissions.has('readUsers') || (user && isSelf(principal, user));
  if (held && !(mayRead && user)) return { ...held, weight };
  if (!mayRead) throw new ApiError('permission_denied', { message: addingUsers });
  if (!user) throw invalidMember(index, 'is not a user of this account');
  return { userId: String(user.id), email: user.email, name: user.name ?? user.email, weight };
}

const addingUsers = 'To add other users to a rotation, the caller needs the permission readUsers.';

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
