import { endpoint } from '../../shared/http/endpoint.ts';
import { Message } from '../../shared/http/message.ts';
import { subjectOf } from '../../shared/security/principal.ts';
import { endSessions } from '../../shared/sessions/end-sessions.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/logout-all',
    access: 'session',
    response: Message,
    emits: ['user_logged_out'],
    summary: 'End every session of the caller',
  },
  {
    decide: async ({ principal, now }) => ({
      response: { message: 'Every session has ended.' },
      writes: await endSessions(principal, now),
      events: [
        {
          kind: 'user_logged_out',
          account: principal.log,
          subject: subjectOf(principal),
          data: { sessions: 'all' },
        },
      ],
    }),
  },
);
