import { object, recordId, string } from '../schema.ts';
import { event, eventGroup } from './declare.ts';

const revealed = object({
  eventId: recordId({ description: 'The event whose body was shown.' }),
  reason: string({ maxLength: 500, examples: ['The vendor reports a missing field.'] }),
});

/** Accesses to captured bodies. */
export const auditReveal = eventGroup('Audit reveal', 'account', {
  event_request_body_revealed: event(revealed, 'The body of a logged request was shown.', {
    title: 'Request body shown',
    body: '{actor} showed the request body of the event {eventId}[: {reason}].',
  }),
  event_response_body_revealed: event(revealed, 'The body of a logged response was shown.', {
    title: 'Response body shown',
    body: '{actor} showed the response body of the event {eventId}[: {reason}].',
  }),
});
