import { ApiError } from '../../errors.ts';
import { updated } from '../../events/emit.ts';
import { type Authored, authoredBy, revise } from '../../table/revise.ts';
import { memberForEvents } from './make-user.ts';
import type { MembershipChange } from './remove-member.ts';
import type { StoredUser } from './schema.ts';
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
 * account may know it. Throws `password_required` and `quota_exceeded`.
 */
export async function acceptInvitation(
  { user, membership }: Member,
  password: string | undefined,
  now: Date,
): Promise<MembershipChange & { member: Member }> {
  if (!user.proved && password === undefined) throw new ApiError('password_required');
  if (user.accountIds.length >= maxAccounts)
    throw new ApiError('quota_exceeded', {
      message: `A user can belong to at most ${maxAccounts} accounts.`,
    });
  const author = authoredBy(user.email, now);
  const { accountId: account } = membership;
  const { name, phone, imgSrc } = user;
  const after = revise({ name, phone, imgSrc, ...membership }, { invited: null, invitationId: null }, author);
  const joined = joinedBy(user, account, author);
  const proved = password === undefined ? joined : await withPassword(joined, password, author, true);
  return {
    member: { user: proved, membership: after },
    writes: [...memberships.replace(membership, after), ...users.replace(user, proved)],
    events: [
      ...updated(users, 'user_updated', memberForEvents(membership), memberForEvents(after)).map((draft) => ({
        ...draft,
        account,
        actor: { user: user.email, apiKey: null },
      })),
      ...(password === undefined ? [] : passwordChanged(proved, 'token')),
    ],
  };
}

/**
 * The account whose invitation proves the mailbox becomes the primary one. Otherwise, an account could register the
 * address of a stranger, and its event log would contain the later logins.
 */
function joinedBy(
  user: StoredUser,
  account: Member['membership']['accountId'],
  author: Authored,
): StoredUser {
  const others = user.accountIds;
  return revise(
    user,
    {
      accountIds: user.proved ? [...others, account] : [account, ...others],
      invitedTo: user.invitedTo?.filter((id) => id !== account),
    },
    author,
  );
}
