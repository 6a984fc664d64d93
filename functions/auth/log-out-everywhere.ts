import { subjectOf } from '../../shared/auth/caller.ts';
import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { endSessions } from '../../shared/sessions/end-sessions.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/logout-all',
    access: 'session',
    response: Message,
    announces: ['user_logged_out'],
    summary: 'End every session of the caller',
  },
  {
    decide: async ({ caller, now }) => ({
      answer: { message: 'Every session has ended.' },
      writes: await endSessions(caller, now),
      events: [
        {
          kind: 'user_logged_out',
          account: caller.log,
          subject: subjectOf(caller),
          data: { sessions: 'all' },
        },
      ],
    }),
  },
);
