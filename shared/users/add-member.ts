import type { AccountId } from '../accounts/account-id.ts';
import { Refusal } from '../http/errors.ts';
import { revise } from '../table/revise.ts';
import type { Write } from '../table/write.ts';
import { type NewMembership, newMembership } from './new-user.ts';
import type { StoredUser } from './user.ts';
import type { Member } from './user-view.ts';
import { memberships, users } from './users.ts';

/** A change of the profile writes every membership in one transaction, which holds 100 operations. */
const mostAccounts = 50;

/**
 * The user with this email who is not a member of the account. Refuses with `not_found`, and with
 * `already_member`.
 */
export async function strangerByEmail(account: AccountId, email: string): Promise<StoredUser> {
  const address = await users.addressByEmailAcrossAccounts(email);
  const user = address && (await users.find(address));
  if (!user) throw new Refusal('not_found');
  const everywhere = [...user.accountIds, ...(user.invitedTo ?? [])];
  if (everywhere.includes(account)) throw new Refusal('already_member');
  if (everywhere.length >= mostAccounts)
    throw new Refusal('quota_exceeded', { message: `A user belongs to at most ${mostAccounts} accounts.` });
  return user;
}

/**
 * Invites a user of elsewhere to one more account: a membership that grants nothing until the person accepts it. It
 * also voids the invitation that its first account handed out, for otherwise that account could act here as the user.
 */
export function addMember(user: StoredUser, wanted: NewMembership): { member: Member; writes: Write[] } {
  const after = revise(
    user,
    { invitedTo: [...(user.invitedTo ?? []), wanted.account], invitationOpen: null },
    wanted.by,
    wanted.now,
  );
  const membership = newMembership(after, { ...wanted, invited: true });
  return {
    member: { user: after, membership },
    writes: [...memberships.insert(membership), ...users.replace(user, after)],
  };
}
