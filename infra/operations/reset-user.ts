import { commit } from '../../shared/events/outbox.ts';
import { resetFactors } from '../../shared/people/factors/change-factors.ts';
import { loggedOut } from '../../shared/people/sessions/store.ts';
import { endSessionsOf } from '../../shared/people/users/end-sessions-of.ts';
import { logAccountOf } from '../../shared/people/users/rules.ts';
import { passwordResetRequested } from '../../shared/people/users/set-password.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import { byOperator } from './operator-event.ts';
import { writeDeadline } from './scan-table.ts';
import { userByEmail } from './user-by-email.ts';

/**
 * Ends all sessions of a user and requests the mail with a reset token, in one transaction with the events that the API
 * writes for these changes. Earlier reset tokens become invalid. `removesFactors`: also removes the second factors.
 * Throws if there is no such user.
 */
export async function resetUser(
  email: string,
  { removesFactors = false }: { removesFactors?: boolean } = {},
): Promise<void> {
  for (;;) {
    const user = await userByEmail(email);
    const { id, home } = user;
    const account = logAccountOf(user);
    const principal = {
      kind: 'user' as const,
      id,
      home,
      actor: { user: user.email, apiKey: null },
      log: account,
    };
    const author = authoredBy('operator', new Date());
    const { writes, events } = removesFactors
      ? await resetFactors(user, author)
      : { ...(await endSessionsOf(user, author)), events: [] };
    const drafts = [...loggedOut(principal, 'all'), ...passwordResetRequested(user), ...events];
    try {
      await commit({
        writes,
        events: drafts.map((draft) => byOperator(draft, account, 'users reset')),
        deadline: writeDeadline(),
      });
      return;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
}
