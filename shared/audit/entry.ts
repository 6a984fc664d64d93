import type { Event } from '../../events/event.ts';
import { dateTime, integer, mapOf, nullable, object, openObject, type Static, string } from '../schema.ts';

/** One line of the audit log of a lead or an application. Interface, "Audit log entry". */
export const AuditEntry = object({
  id: integer(),
  event: string({ description: 'The event kind.' }),
  user: string({ description: 'Email or identifier of the actor.' }),
  apiKey: nullable(string({ description: 'The API key the action used.' })),
  data: openObject({ description: 'What is specific to the event.' }),
  created: dateTime(),
  requestMethod: string(),
  requestPath: string(),
  requestHeaders: mapOf(string(), { description: 'By allowlist; credentials are masked.' }),
  requestIpAddress: string(),
  account_id: string(),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** The audit entry of an event: the same facts under the names the interface gives them. */
export const auditEntryOf = (event: Event): AuditEntry => ({
  id: event.id,
  event: event.kind,
  user: event.actor.user,
  apiKey: event.actor.apiKey,
  data: { ...event.data },
  created: event.occurredAt,
  requestMethod: event.request.method,
  requestPath: event.request.path,
  requestHeaders: event.request.headers,
  requestIpAddress: event.request.ipAddress,
  account_id: event.accountId,
});
