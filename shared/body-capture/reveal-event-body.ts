import { endpoint } from '../endpoints/endpoint.ts';
import { labelled } from '../events/subject.ts';
import { RecordParams } from '../table/record-fields.ts';
import { decryptCapturedBody, readCapturedBody } from './read-captured-body.ts';
import { RevealedBody, RevealInput } from './schema.ts';
import type { BodyPart } from './stored-bodies.ts';

/** Declares the endpoint that shows the request body or the response body of an event. */
export function revealEventBody(part: BodyPart) {
  const kind = `event_${part}_body_revealed` as const;
  return endpoint({
    method: 'POST',
    path: `/events/{id}/${part}-body`,
    permission: ['readEvents', 'revealBodies'],
    proof: 'reveal',
    sensitive: true,
    params: RecordParams,
    body: RevealInput,
    response: RevealedBody,
    emits: [kind],
    summary: `Show the ${part} body of an event`,
    description: `Shows the body of the ${part} that caused the event, without its sensitive values. An event records the access with its reason. Returns 404 if no body was captured, if it has expired, or if its record was deleted.`,
    read: ({ account, params, now }) => readCapturedBody(account, { id: params.id, part, now }),
    decide: async ({ account, accountRecord, body, dataKeys }, captured) => ({
      response: await decryptCapturedBody(account, await dataKeys(), captured),
      writes: [],
      events: [
        {
          kind,
          subject: { type: 'account', id: account, ...labelled(accountRecord.name) },
          data: { eventId: captured.event.id, reason: body.reason },
        },
      ],
    }),
  });
}
