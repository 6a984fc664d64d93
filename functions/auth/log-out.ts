import { subjectOf } from '../../shared/auth/caller.ts';
import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { closeSession } from '../../shared/sessions/sessions.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    response: Message,
    announces: ['user_logged_out'],
    summary: 'End the session behind a token',
  },
  {
    decide: ({ caller }) => {
      const { home, log, sessionId } = caller;
      if (sessionId === undefined)
        throw new Refusal('not_authenticated', { message: 'Send a session token.' });
      const subject = subjectOf(caller);
      return {
        answer: { message: 'Logged out.' },
        writes: closeSession(home, sessionId),
        events: [{ kind: 'user_logged_out', account: log, subject, data: { sessions: 'one' } }],
      };
    },
  },
);
