import {
  dateTime,
  integer,
  mapOf,
  nullable,
  object,
  oneOf,
  openObject,
  optional,
  type Static,
  string,
  unsafe,
} from '../shared/schema.ts';
import { eventKinds } from './kinds.ts';

/** An event as the account's log shows it: its envelope. */
export const LoggedEvent = object({
  id: integer(),
  kind: oneOf(eventKinds),
  version: integer({ description: 'Of the shape of this envelope.' }),
  accountId: string(),
  actor: object({ user: string(), apiKey: nullable(string()) }),
  subject: object({
    type: string(),
    id: unsafe<number | string>({ type: ['integer', 'string'] }),
    version: optional(integer({ description: 'The version of the record after the change.' })),
  }),
  data: openObject({ description: 'What is specific to the kind.' }),
  request: object({ method: string(), path: string(), headers: mapOf(string()), ipAddress: string() }),
  occurredAt: dateTime(),
});
export type LoggedEvent = Static<typeof LoggedEvent>;
