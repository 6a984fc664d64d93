import { endpoint } from '../endpoints/endpoint.ts';
import { requireShownEvent, subjectsWithReach } from '../endpoints/parent-records.ts';
import { labelled } from '../events/subject.ts';
import { deferred } from '../table/in-parallel.ts';
import { RecordParams } from '../table/record-fields.ts';
import { decryptCapturedBody, readCapturedBody } from './read-captured-body.ts';
import { RevealedBody, RevealInput } from './schema.ts';
import { bodyShownTo, requireBodyOfRecord } from './shown-body.ts';
import type { BodyPart } from './stored-bodies.ts';

/** Declares the endpoint that shows the request body or the response body of an event. */
export function revealEventBody(part: BodyPart) {
  const kind = `event_${part}_body_revealed` as const;
  return endpoint({
    method: 'POST',
    path: `/events/{id}/${part}-body`,
    permission: ['readEvents', 'revealBodies'],
    reach: subjectsWithReach,
    proof: 'reveal',
    sensitive: true,
    params: RecordParams,
    body: RevealInput,
    response: RevealedBody,
    emits: [kind],
    summary: `Show the ${part} body of an event`,
    description: `Shows the body of the ${part} that caused the event, without its sensitive values. An event records the access with its reason. Returns 404 if no body was captured, if it has expired, or if its record was deleted. Callers who do not reach all records get only the bodies of requests whose path contains the id of a record that they reach.`,
    // Otherwise, an error would show whether a hidden event has a body.
    read: async ({ account, params, now }) =>
      deferred(readCapturedBody(account, { id: params.id, part, now })),
    decide: async (request, { reading }) => {
      const { account, accountRecord, principal, params, body, dataKeys } = request;
      await requireShownEvent(request, params.id);
      const captured = await reading;
      requireBodyOfRecord(principal, captured);
      const revealed = await decryptCapturedBody(account, await dataKeys(), captured);
      return {
        response: { ...revealed, body: bodyShownTo(principal, revealed.body) },
        writes: [],
        events: [
          {
            kind,
            subject: { type: 'account', id: account, ...labelled(accountRecord.name) },
            data: { eventId: captured.event.id, reason: body.reason },
          },
        ],
      };
    },
  });
}
