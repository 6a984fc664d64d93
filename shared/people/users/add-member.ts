import { ApiError, notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { type NewMembership, newMembership } from './make-user.ts';
import type { StoredUser } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

/** A profile change is written to all memberships in one transaction, which is limited to 100 operations. */
const maxAccounts = 50;

/** Returns a user who is not a member yet. Throws `not_found`, `already_member` and `quota_exceeded`. */
export async function userToInvite(account: AccountId, email: string): Promise<StoredUser> {
  const user = await users.findByEmailAcrossAccounts(email);
  if (!user) throw notFound('user', email);
  const everywhere = [...user.accountIds, ...(user.invitedTo ?? [])];
  if (everywhere.includes(account)) throw new ApiError('already_member');
  if (everywhere.length >= maxAccounts)
    throw new ApiError('quota_exceeded', {
      message: `A user can belong to at most ${maxAccounts} accounts.`,
    });
  return user;
}

/**
 * Invites a user of another account. The membership grants nothing until the user accepts. Also voids the user's first
 * invitation: with its token, the account that created the user could otherwise act as the user in this account.
 */
export function addMember(
  user: StoredUser,
  granted: NewMembership,
  request: Authored & { account: AccountId },
): { member: Member; writes: Write[] } {
  const after = revise(
    user,
    { invitedTo: [...(user.invitedTo ?? []), request.account], invitationOpen: null },
    request,
  );
  const membership = newMembership(after, { ...granted, invited: true }, request);
  return {
    member: { user: after, membership },
    writes: [...memberships.insert(membership), ...users.replace(user, after)],
  };
}
