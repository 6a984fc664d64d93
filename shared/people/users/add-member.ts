import { ApiError, notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { type NewMembership, newMembership } from './make-user.ts';
import type { StoredUser } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

/**
 * The maximum number of accounts of a user. A profile change writes all memberships of the user in one
 * transaction, which has at most 100 operations.
 */
const maxAccounts = 50;

/**
 * Returns the user with this email, who must be neither a member of the account nor invited. Throws
 * `not_found`, `already_member` and `quota_exceeded`.
 */
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
 * Invites a user of another account. The membership grants nothing until the user accepts. Also invalidates
 * the user's first invitation. Otherwise, the account that created the user and has the invitation token
 * could set the password and act as the user in this account.
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
