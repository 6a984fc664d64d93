import { endpoint } from '../../shared/http/endpoint.ts';
import { Message } from '../../shared/http/message.ts';
import { subjectOf } from '../../shared/security/principal.ts';
import { closeSession } from '../../shared/sessions/store.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    sessionOnly: true,
    response: Message,
    emits: ['user_logged_out'],
    summary: 'End the session behind a token',
  },
  {
    decide: ({ principal }) => ({
      response: { message: 'Logged out.' },
      writes: closeSession(principal),
      events: [
        {
          kind: 'user_logged_out',
          account: principal.log,
          subject: subjectOf(principal),
          data: { sessions: 'one' },
        },
      ],
    }),
  },
);
