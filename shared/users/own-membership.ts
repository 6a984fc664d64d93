import { updated } from '../../events/announce.ts';
import type { Announcement } from '../../events/event.ts';
import type { Account } from '../accounts/account.ts';
import { type AccountId, asAccountId } from '../accounts/account-id.ts';
import { accounts } from '../accounts/accounts.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../http/errors.ts';
import { object, type Static, string } from '../schema.ts';
import { revise } from '../table/revise.ts';
import type { Write } from '../table/write.ts';
import { normalizeEmail } from './email.ts';
import { activeAdministrator } from './member-guards.ts';
import { visibleMember } from './new-user.ts';
import { endMembership } from './remove-member.ts';
import { isActiveMember } from './standing.ts';
import { UserParams } from './user.ts';
import type { Member } from './user-view.ts';
import { everyMember, memberships, users } from './users.ts';

/** A user and one of its accounts: `/users/{email}/accounts/{accountId}/membership`. */
export const OwnMembershipParams = object({
  ...UserParams.properties,
  accountId: string({ maxLength: 64, examples: ['acme'] }),
});

/** What a person may do about a membership of its own. */
export interface OwnMember extends Member {
  account: Account;
}

/** The caller's own membership, or invitation, in any account. Refuses with `users_only`, and with `not_found`. */
export async function ownMember(
  caller: Caller,
  { email, accountId }: Static<typeof OwnMembershipParams>,
): Promise<OwnMember> {
  if (caller.kind === 'key') throw new Refusal('users_only');
  const account = asAccountId(accountId);
  if (!account || normalizeEmail(email) !== caller.actor.user) throw new Refusal('not_found');
  const [user, membership, record] = await Promise.all([
    users.find(caller),
    memberships.find(account, caller.id),
    accounts.get(account),
  ]);
  if (!user || !membership) throw new Refusal('not_found');
  return { user, membership, account: record };
}

interface Changed {
  writes: Write[];
  events: Announcement[];
}

/** Turns an invitation into a membership: from now on it grants what it says, and the account sees the profile. */
export function acceptMembership({ user, membership }: Member, now: Date): Changed & { member: Member } {
  const { accountId } = membership;
  if (!membership.invited) return { member: { user, membership }, writes: [], events: [] };
  const { name, phone, imgSrc } = user;
  const after = revise(membership, { invited: null, name, phone, imgSrc }, user.email, now);
  const joined = revise(
    user,
    {
      accountIds: [...user.accountIds, accountId],
      invitedTo: user.invitedTo?.filter((id) => id !== accountId),
    },
    user.email,
    now,
  );
  return {
    member: { user: joined, membership: after },
    writes: [...memberships.replace(membership, after), ...users.replace(user, joined)],
    events: updated('user_updated', 'user', visibleMember(membership), visibleMember(after)).map(
      (announcement) => ({ ...announcement, account: accountId }),
    ),
  };
}

/**
 * Declines an invitation, or leaves an account. Refuses its last active administrator with `last_administrator`:
 * another one must still be there in the transaction, so that of two who leave at once one stays.
 */
export async function leaveAccount({ user, membership }: Member, now: Date): Promise<Changed> {
  const { writes, events } = endMembership({ user, membership }, user.email, now);
  if (!membership.accountAdmin || !isActiveMember(membership)) return { writes, events };
  const { accountId, id } = membership;
  const members = await everyMember(accountId as AccountId);
  const other = members.find((one) => one.id !== id && one.accountAdmin && isActiveMember(one));
  if (!other) throw new Refusal('last_administrator');
  return { writes: [...writes, activeAdministrator(accountId, other.id, 'race')], events };
}
