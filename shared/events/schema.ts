import {
  accountId,
  dateTime,
  integer,
  mapOf,
  nullable,
  object,
  openObject,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
} from '../schema.ts';
import { EventKindField } from './kind-schema.ts';

/** An event as the account's log shows it: its envelope. */
export const LoggedEvent = object({
  id: recordId(),
  kind: EventKindField,
  version: integer({ description: 'Of the shape of this envelope.', examples: [1] }),
  accountId: accountId(),
  actor: object({
    user: string({ examples: ['grace@example.com'] }),
    apiKey: nullable(string({ examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'] })),
  }),
  subject: object({
    type: string({ examples: ['lead'] }),
    id: unsafe<number | string>({ type: ['integer', 'string'], examples: [214563398120449] }),
    version: optional(integer({ description: 'The version of the record after the change.', examples: [1] })),
  }),
  data: openObject({ description: 'What is specific to the kind.' }),
  request: object({
    method: string({ examples: ['POST'] }),
    path: string({ examples: ['/leads'] }),
    headers: mapOf(string(), { examples: [{ 'user-agent': 'curl/8.7.1' }] }),
    ipAddress: string({ examples: ['203.0.113.7'] }),
  }),
  occurredAt: dateTime(),
});
export type LoggedEvent = Static<typeof LoggedEvent>;
