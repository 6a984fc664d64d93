import { endpoint } from '../../shared/http/endpoint.ts';
import { UserSession } from '../../shared/sessions/schema.ts';
import { sessionOf } from '../../shared/sessions/show-session.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/auth/session',
    access: 'session',
    sessionOnly: true,
    response: UserSession,
    summary: 'Read the session behind a token',
  },
  {
    decide: async ({ principal, headers }) => ({
      response: await sessionOf(principal, (headers.authorization ?? '').replace(/^Bearer +/i, '')),
    }),
  },
);
