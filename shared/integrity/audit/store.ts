import type { Event } from '../../events/envelope.ts';
import { isTombstone } from '../../table/item.ts';
import { auditKey, auditRange, recordKey } from '../../table/keys.ts';
import { queryItems } from '../../table/read.ts';
import type { TableRequests } from '../../table/table-requests.ts';
import { auditedRecord } from './audited-nouns.ts';
import { auditEntryOf } from './schema.ts';

/**
 * Writes the audit entry of an event. The entry depends only on the event and has the event's id, so repeating the
 * write changes nothing. Throws if a write fails, so that the event is delivered again.
 *
 * The event of a record's deletion deletes all audit entries of the record. If an earlier event is processed after the
 * deletion, its entry is written and immediately deleted: the record is already a tombstone, or is missing because the
 * account was erased.
 */
export async function writeAuditEntry(
  event: Event,
  { requests }: { requests: TableRequests },
): Promise<void> {
  const { accountId: account, subject } = event;
  const audited = auditedRecord(subject);
  if (!audited) throw new Error(`${event.kind} is about a ${subject.type}, which has no audit log.`);
  const { noun, id } = audited;
  const entry = { ...auditKey(account, noun, id, event.id), type: 'audit', ...auditEntryOf(event) };
  await requests.write({ put: [entry] });
  const [record] = await requests.getItems([recordKey(account, noun, id)]);
  if (record && !isTombstone(record)) return;
  await requests.write({ remove: isDeletion(event) ? await auditEntries(entry.pk) : [entry] });
}

/** Reports whether the event is the deletion of the record itself. */
export const isDeletion = ({ kind, subject, data }: Event): boolean =>
  kind === `${subject.type}_deleted` ||
  (kind === 'no_event_name' && 'change' in data && data.change === 'deleted');

const auditEntries = (partition: string) => queryItems({ partition, sortKey: auditRange });
