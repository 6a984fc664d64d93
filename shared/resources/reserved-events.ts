import { eventGroup, reserved } from './declare.ts';

/** Event kinds that the service does not emit yet. */
export const auditReveal = eventGroup('Audit reveal', 'account', {
  event_request_body_revealed: reserved('The body of a logged request was shown.'),
  event_response_body_revealed: reserved('The body of a logged response was shown.'),
});
