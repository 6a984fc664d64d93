import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { closeSession, loggedOut } from '../../shared/people/sessions/store.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/logout',
  access: 'session',
  sessionOnly: true,
  response: Message,
  emits: ['user_logged_out'],
  summary: 'End the session of a token',
  decide: ({ principal }) => ({
    response: { message: 'Logged out.' },
    writes: closeSession(principal),
    events: loggedOut(principal, 'one'),
  }),
});
