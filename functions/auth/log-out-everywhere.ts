import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { endSessions } from '../../shared/people/sessions/end-sessions.ts';
import { loggedOut } from '../../shared/people/sessions/store.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/logout-all',
  access: 'session',
  response: Message,
  emits: ['user_logged_out'],
  rights: ['sign-ins:keep'],
  destructive: true,
  summary: 'End every session of the caller',
  decide: async (request) => ({
    response: { message: 'Every session has ended.' },
    writes: await endSessions(request),
    events: loggedOut(request.principal, 'all'),
  }),
});
