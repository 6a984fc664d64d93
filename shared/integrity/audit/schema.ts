import { withoutValues } from '../../events/changes.ts';
import type { Event } from '../../events/envelope.ts';
import { impersonatedBy } from '../../events/schema.ts';
import {
  dateTime,
  mapOf,
  nullable,
  object,
  openObject,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';

/** An entry of the audit log of a record. */
export const AuditEntry = object({
  id: recordId(),
  event: string({ description: 'The event kind.', examples: ['lead_created'] }),
  user: string({
    description: 'The email of the user, or the id of the API key.',
    examples: ['grace@example.com'],
  }),
  apiKey: nullable(
    string({
      description: 'The API key that was used.',
      examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'],
    }),
  ),
  impersonatedBy: optional(impersonatedBy),
  data: openObject({ description: 'Depends on the event kind.' }),
  created: dateTime(),
  requestMethod: string({ examples: ['POST'] }),
  requestPath: string({ examples: ['/leads'] }),
  requestHeaders: mapOf(string(), {
    description: 'Selected headers. Credentials are masked.',
    examples: [{ 'user-agent': 'curl/8.7.1' }],
  }),
  requestIpAddress: string({ examples: ['203.0.113.7'] }),
  account_id: string({ examples: ['acme'] }),
});
export type AuditEntry = Static<typeof AuditEntry>;

/**
 * The maximum size of an entry that contains values, in bytes. A larger entry contains only the names of the changed
 * fields. The response for a record contains up to 100 entries, so this limit keeps the response small.
 */
const largestEntry = 4 * 1024;

/** The audit entry of an event. */
export function auditEntryOf(event: Event): AuditEntry {
  const entry = wholeEntryOf(event);
  if (!('changes' in event.data) || Buffer.byteLength(JSON.stringify(entry)) <= largestEntry) return entry;
  return { ...entry, data: { ...event.data, changes: withoutValues(event.data.changes) } };
}

const wholeEntryOf = (event: Event): AuditEntry => ({
  id: event.id,
  event: event.kind,
  user: event.actor.user,
  apiKey: event.actor.apiKey,
  ...(event.actor.impersonatedBy && { impersonatedBy: event.actor.impersonatedBy }),
  data: { ...event.data },
  created: event.occurredAt,
  requestMethod: event.request.method,
  requestPath: event.request.path,
  requestHeaders: event.request.headers,
  requestIpAddress: event.request.ipAddress,
  account_id: event.accountId,
});
