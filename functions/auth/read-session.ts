import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { sessionOf } from '../../shared/people/sessions/show-session.ts';

export default endpoint({
  method: 'GET',
  path: '/auth/session',
  access: 'session',
  sessionOnly: true,
  response: UserSession,
  summary: 'Read the session of a token',
  decide: async ({ principal, headers }) => ({
    response: await sessionOf(principal, (headers.authorization ?? '').replace(/^Bearer +/i, '')),
  }),
});
