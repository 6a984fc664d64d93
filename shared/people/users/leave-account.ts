import type { StoredAccount } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import { asAccountId } from '../../id/account-id.ts';
import { object, type Static, string } from '../../schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import { namesSelf } from './is-self.ts';
import { activeAdministrator } from './membership-conditions.ts';
import { endMembership } from './remove-member.ts';
import { isActiveMember } from './rules.ts';
import { type Membership, UserParams } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, readAllMembers, users } from './store.ts';

export const OwnMembershipParams = object({
  ...UserParams.properties,
  accountId: string({ maxLength: 64, examples: ['acme'] }),
});

interface OwnMember extends Member {
  account: StoredAccount;
}

/**
 * Returns the principal's own membership or invitation. Throws `users_only` and `not_found`. Only a session with a proved
 * password finds an invitation, because an account may know other passwords.
 */
export async function ownMember(
  principal: SignedIn,
  { email, accountId }: Static<typeof OwnMembershipParams>,
): Promise<OwnMember> {
  if (principal.kind === 'key') throw new ApiError('users_only');
  const account = asAccountId(accountId);
  if (!account || !namesSelf(principal, email)) throw notFound('membership of', email);
  const [user, membership, record] = await Promise.all([
    users.find(principal),
    memberships.find(account, principal.id),
    accounts.get(account),
  ]);
  if (!user || !membership || (membership.invited && !principal.proved))
    throw notFound('membership of', email);
  return { user, membership, account: record };
}

/**
 * Declines an invitation or leaves an account. Throws `last_administrator` if no other active administrator remains.
 * The transaction requires that the other administrator is still active, because both users could leave concurrently.
 */
export async function leaveAccount({ user, membership }: Member, author: Authored): Promise<Effects> {
  const { writes, events } = await endMembership({ user, membership }, author);
  return { writes: [...writes, ...(await keepsAdministrator(membership))], events };
}

/**
 * Returns the condition that another active administrator remains if this member leaves or becomes inactive. Throws
 * `last_administrator`.
 */
export async function keepsAdministrator(membership: Membership): Promise<Write[]> {
  if (!membership.accountAdmin || !isActiveMember(membership)) return [];
  const { accountId, id } = membership;
  const members = await readAllMembers(accountId);
  const other = members.find((one) => one.id !== id && one.accountAdmin && isActiveMember(one));
  if (!other) throw new ApiError('last_administrator');
  return [activeAdministrator(accountId, other.id, 'conflict')];
}
