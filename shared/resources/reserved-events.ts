import { eventGroup, reserved } from './declare.ts';

/** Event kinds that the service does not emit yet. */
export const billing = eventGroup('Billing', 'account', {
  invoice_created: reserved('An invoice was created.'),
  payment_received: reserved('A payment was received.'),
  payment_failed: reserved('A payment failed.'),
  refund_issued: reserved('A refund was issued.'),
});

export const auditReveal = eventGroup('Audit reveal', 'account', {
  event_request_body_revealed: reserved('The body of a logged request was shown.'),
  event_response_body_revealed: reserved('The body of a logged response was shown.'),
});
