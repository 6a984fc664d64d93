import { decryptCapturedBody, readCapturedBody } from '../../shared/body-capture/read-captured-body.ts';
import { RevealedBody, RevealInput } from '../../shared/body-capture/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { labelled } from '../../shared/events/subject.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/events/{id}/request-body',
  permission: ['readEvents', 'revealBodies'],
  sensitive: true,
  params: RecordParams,
  body: RevealInput,
  response: RevealedBody,
  emits: ['event_request_body_revealed'],
  summary: 'Show the request body of an event',
  description:
    'Shows the body of the request that caused the event, without its sensitive values. An event records the access with its reason. Returns 404 if no body was captured, or if it has expired.',
  read: ({ account, params, now }) => readCapturedBody(account, { id: params.id, part: 'request', now }),
  decide: async ({ account, accountRecord, body, dataKeys }, captured) => ({
    response: await decryptCapturedBody(account, await dataKeys(), captured),
    writes: [],
    events: [
      {
        kind: 'event_request_body_revealed',
        subject: { type: 'account', id: account, ...labelled(accountRecord.name) },
        data: { eventId: captured.event.id, reason: body.reason },
      },
    ],
  }),
});
