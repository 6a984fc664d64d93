import { ApiError } from '../../errors.ts';
import { updated } from '../../events/emit.ts';
import type { Effects, EventDraft } from '../../events/envelope.ts';
import { mintId } from '../../id/mint.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { type Authored, authoredBy, revise } from '../../table/revise.ts';
import { endOfPerson } from '../impersonation-records/open-impersonations.ts';
import { membershipsElsewhere } from './find-member.ts';
import { memberForEvents } from './make-user.ts';
import { hasAccepted } from './rules.ts';
import type { InvitedUser, Membership } from './schema.ts';
import { passwordChanged, withPassword } from './set-password.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

/**
 * The maximum number of accounts of a user. A profile change writes all memberships of the user in one
 * transaction, which has at most 100 operations. Open invitations do not count.
 */
const maxAccounts = 50;

/**
 * Accepts an invitation with its mailed token. The membership then grants its permissions, and contains the person's own
 * profile where the account has not entered another one. A password that is not proved must be replaced, because another
 * account may know it. If this is the person's first acceptance, the membership of the account that created the person
 * becomes an invitation. A new password ends all impersonations, like all sessions. `identity`: the user of the account's
 * identity provider, if the acceptance is a sign-in. Throws `password_required` and `quota_exceeded`.
 */
export async function acceptInvitation(
  { user, membership }: Member,
  password: string | undefined,
  now: Date,
  identity?: Membership['identity'],
): Promise<Effects & { member: Member }> {
  if (!user.proved && password === undefined) throw new ApiError('password_required');
  if (user.accountIds.length >= maxAccounts)
    throw new ApiError('quota_exceeded', {
      message: `A user can belong to at most ${maxAccounts} accounts.`,
    });
  const author = authoredBy(user.email, now);
  const { accountId: account } = membership;
  const { name, phone, imgSrc } = user;
  const after = revise(
    { name, phone, imgSrc, ...membership },
    { invited: null, invitationId: null, identity },
    author,
  );
  const [unanswered, person] = await inParallel([
    hasAccepted(user) ? [] : membershipsElsewhere(user, account),
    users.withInvitations(user),
  ]);
  const joined = joinedBy(person, account, unanswered, author);
  const invitations = unanswered.map((before) => ({ before, invited: asInvitation(before, now) }));
  const proved =
    password === undefined ? joined : { ...joined, ...(await withPassword(joined, password, author, true)) };
  return {
    member: { user: proved, membership: after },
    writes: [
      ...memberships.replace(membership, after),
      ...users.replace(person, proved),
      ...invitations.flatMap(({ before, invited }) => memberships.replace(before, invited)),
      ...(await endOfPerson(
        password === undefined ? unanswered.map(({ accountId }) => accountId) : user.accountIds,
        user.id,
        { ...author, principal: authoredBy('system', now).principal },
      )),
    ],
    events: [
      ...updated(users, 'user_updated', memberForEvents(membership), memberForEvents(after)).map((draft) => ({
        ...draft,
        account,
        actor: { user: user.email, apiKey: null },
      })),
      ...invitations.flatMap(({ before, invited }) => invitedAgain(before, invited)),
      ...(password === undefined ? [] : passwordChanged(proved, 'token')),
    ],
  };
}

/**
 * The account whose invitation proves the mailbox becomes the primary one. Otherwise, an account could register the
 * address of a stranger, and its event log would contain the later logins.
 */
function joinedBy(
  user: InvitedUser,
  account: Member['membership']['accountId'],
  unanswered: readonly Membership[],
  author: Authored,
): InvitedUser {
  const open = unanswered.map(({ accountId }) => accountId);
  const others = user.accountIds.filter((id) => !open.includes(id));
  return revise(
    user,
    {
      accountIds: user.proved ? [...others, account] : [account, ...others],
      invitations: [...user.invitations.filter((id) => id !== account), ...open],
      accepted: true,
      // A rule for an account that the person has not accepted would make every rule that the person sets invalid.
      notificationPreferences: user.notificationPreferences.filter(
        ({ accountId }) => !open.some((id) => id === accountId),
      ),
    },
    author,
  );
}

/** Returns the membership as an invitation with a token of its own. An inactive membership has no token. */
const asInvitation = (membership: Membership, now: Date): Membership =>
  revise(membership, { invited: true, invitationId: membership.active ? mintId(now) : null }, { now });

/** Returns the event that mails the new token. Its author is the system, because the account may not see the acceptance. */
const invitedAgain = (before: Membership, after: Membership): EventDraft[] =>
  updated(users, 'user_updated', memberForEvents(before), memberForEvents(after)).map((draft) => ({
    ...draft,
    account: before.accountId,
    task: 'invitation',
  }));
