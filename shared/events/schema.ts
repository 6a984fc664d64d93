import { eventKinds, happenings } from '../resources/derived.ts';
import {
  accountId,
  boolean,
  dateTime,
  integer,
  mapOf,
  nullable,
  object,
  oneOf,
  openObject,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
} from '../schema.ts';

/** An event kind. This schema is long, so bundles contain compiled validators instead. */
export const EventKindField = oneOf(eventKinds);

/** A change without an event kind of its own. */
export const HappeningField = oneOf(happenings);

const subjectId = unsafe<number | string>({ type: ['integer', 'string'], examples: [214563398120449] });

/** The subject of an event. */
export const EventSubject = object({
  type: string({ examples: ['lead'] }),
  id: subjectId,
  version: optional(integer({ description: 'The version of the record after the change.', examples: [1] })),
  label: optional(
    string({
      maxLength: 120,
      description: 'The display name at the time of the event, for example a ticket’s number and subject.',
      examples: ['Grace Hopper'],
    }),
  ),
  assignedTo: optional(
    string({ description: 'The id of the assigned user after the change.', examples: ['214563398120449'] }),
  ),
  parent: optional(
    object(
      { type: string({ examples: ['merchant'] }), id: subjectId },
      { description: 'The record that a document, note or MID belongs to.' },
    ),
  ),
});

/** Present only in events and audit entries of impersonations. */
export const impersonatedBy = string({
  description: 'The administrator who acted as the user. Absent unless the user was impersonated.',
  examples: ['admin@example.com'],
});

/** The envelope of an event as the account's log shows it. */
export const LoggedEvent = object({
  id: recordId(),
  kind: EventKindField,
  version: integer({ description: 'The version of the envelope.', examples: [1] }),
  accountId: accountId(),
  actor: object({
    user: string({ examples: ['grace@example.com'] }),
    apiKey: nullable(string({ examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'] })),
    impersonatedBy: optional(impersonatedBy),
  }),
  subject: EventSubject,
  data: openObject({ description: 'The fields depend on the kind.' }),
  request: object({
    method: string({ examples: ['POST'] }),
    path: string({ examples: ['/leads'] }),
    headers: mapOf(string(), { examples: [{ 'user-agent': 'curl/8.7.1' }] }),
    ipAddress: string({ examples: ['203.0.113.7'] }),
  }),
  occurredAt: dateTime(),
  hasRequestBody: optional(
    boolean({ description: 'True if POST /events/{id}/request-body shows the body of the request.' }),
  ),
  hasResponseBody: optional(
    boolean({ description: 'True if POST /events/{id}/response-body shows the body of the response.' }),
  ),
});
export type LoggedEvent = Static<typeof LoggedEvent>;
