import type { Event } from '../../events/envelope.ts';
import { deleteAll, putAll } from '../../table/batch-write.ts';
import { isTombstone } from '../../table/item.ts';
import { auditKey, auditRange, recordKey } from '../../table/keys.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { auditedRecord } from './audited-nouns.ts';
import { auditEntryOf } from './schema.ts';

/**
 * Writes the audit entry of an event beside its record. An entry follows from its event alone and is keyed by its id, so
 * writing it again changes nothing. Throws where DynamoDB did not take all of it, and for a subject that
 * has no audit log: the event must come again.
 *
 * An entry lives as long as its record. The event of a deletion takes all entries away; an entry that comes later
 * than that finds the tombstone here and goes again, and so does one whose account was erased, which leaves no tombstone.
 */
export async function writeAuditEntry(event: Event): Promise<void> {
  const { accountId: account, subject } = event;
  const audited = auditedRecord(subject);
  if (!audited) throw new Error(`${event.kind} is about a ${subject.type}, which has no audit log.`);
  const { noun, id } = audited;
  const entry = { ...auditKey(account, noun, id, event.id), type: 'audit', ...auditEntryOf(event) };
  await all(putAll([entry]));
  const record = await getItem(recordKey(account, noun, id));
  if (record && !isTombstone(record)) return;
  await all(deleteAll(isDeletion(event) ? await auditEntries(entry.pk) : [entry]));
}

async function all(left: Promise<readonly unknown[]>): Promise<void> {
  if ((await left).length > 0) throw new Error('DynamoDB left a part of an audit log unprocessed.');
}

/** Whether an event says that the record itself was deleted, and not what hangs on it. */
const isDeletion = ({ kind, subject }: Event): boolean => kind === `${subject.type}_deleted`;

const auditEntries = (partition: string) => queryItems({ partition, sortKey: auditRange });
