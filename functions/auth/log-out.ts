import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { endWithSession } from '../../shared/people/impersonation/end-impersonation.ts';
import { closeSession, loggedOut } from '../../shared/people/sessions/store.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/logout',
  access: 'session',
  sessionOnly: true,
  impersonated: 'always',
  response: Message,
  emits: ['user_logged_out'],
  rights: ['sign-ins:keep'],
  summary: 'End the session of a token',
  description: 'Also ends an impersonation, and the impersonations that the session began.',
  decide: async (request) => ({
    response: { message: 'Logged out.' },
    writes: [...closeSession(request.principal), ...(await endWithSession(request))],
    events: loggedOut(request.principal, 'one'),
  }),
});
