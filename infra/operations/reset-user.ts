import { commit } from '../../shared/events/outbox.ts';
import { endOfPerson } from '../../shared/people/impersonation-records/open-impersonations.ts';
import { loggedOut } from '../../shared/people/sessions/store.ts';
import { logAccountOf } from '../../shared/people/users/rules.ts';
import type { StoredUser } from '../../shared/people/users/schema.ts';
import { passwordResetRequested } from '../../shared/people/users/set-password.ts';
import { users } from '../../shared/people/users/store.ts';
import { authoredBy, revise } from '../../shared/table/revise.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import { byOperator } from './operator-event.ts';
import { writeDeadline } from './scan-table.ts';
import { userByEmail } from './user-by-email.ts';

/**
 * Ends all sessions of a user and requests the mail with a reset token, in one transaction with the events that the API
 * writes for these changes. Earlier reset tokens become invalid. Throws if there is no such user.
 */
export async function resetUser(email: string): Promise<StoredUser> {
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
    const after = revise(user, { sessionEpoch: user.sessionEpoch + 1 }, author);
    const drafts = [...loggedOut(principal, 'all'), ...passwordResetRequested(user)];
    try {
      await commit({
        writes: [...users.replace(user, after), ...(await endOfPerson(user.accountIds, id, author))],
        events: drafts.map((draft) => byOperator(draft, account, 'users reset')),
        deadline: writeDeadline(),
      });
      return after;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
}
