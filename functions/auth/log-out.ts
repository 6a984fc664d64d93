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
    decide: ({ caller: { kind, id, home, log, sessionId } }) => {
      if (sessionId === undefined)
        throw new Refusal('not_authenticated', { message: 'Send a session token.' });
      const subject = { type: kind === 'key' ? 'api_key' : 'user', id };
      return {
        answer: { message: 'Logged out.' },
        writes: closeSession(home, sessionId),
        events: [{ kind: 'user_logged_out', account: log, subject, data: { sessions: 'one' } }],
      };
    },
  },
);
