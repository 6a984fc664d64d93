import { subjectOf } from '../../shared/auth/caller.ts';
import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { closeSession } from '../../shared/sessions/sessions.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    sessionOnly: true,
    response: Message,
    announces: ['user_logged_out'],
    summary: 'End the session behind a token',
  },
  {
    decide: ({ caller }) => ({
      answer: { message: 'Logged out.' },
      writes: closeSession(caller),
      events: [
        {
          kind: 'user_logged_out',
          account: caller.log,
          subject: subjectOf(caller),
          data: { sessions: 'one' },
        },
      ],
    }),
  },
);
