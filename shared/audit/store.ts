import type { Event } from '../events/envelope.ts';
import { deleteAll, putAll } from '../table/batch-write.ts';
import { isTombstone } from '../table/item.ts';
import { auditKey, auditRange, recordKey } from '../table/keys.ts';
import { getItems, queryItems } from '../table/read.ts';
import { auditedNouns } from './audited-nouns.ts';
import { auditEntryOf } from './schema.ts';

/**
 * Writes the audit entry of each event beside its record, and returns the ids of the events that must come again.
 * An entry follows from its event alone and is keyed by its id, so writing it again changes nothing.
 *
 * An entry lives as long as its record. The event of a deletion takes all entries away; an entry that comes later
 * than that finds the tombstone here and goes again.
 */
export async function writeAuditEntries(events: Event[]): Promise<ReadonlySet<number>> {
  const entries = [...new Map(events.map((event) => [event.id, event])).values()].flatMap(entryOf);
  const unwritten = await putAll(entries.map(({ item }) => item));
  const records = await getItems(entries.map(({ record }) => record));
  const orphans = entries.filter((_, index) => {
    const record = records[index];
    return record !== undefined && isTombstone(record);
  });
  const doomed = await Promise.all(
    orphans.map(({ event, item }) => (isDeletion(event) ? auditEntries(item.pk) : [item])),
  );
  const unremoved = await deleteAll(doomed.flat());
  const again = new Set([...unwritten, ...unremoved].map(({ pk }) => pk));
  return new Set(entries.filter(({ item }) => again.has(item.pk)).map(({ event }) => event.id));
}

function entryOf(event: Event) {
  const noun = auditedNouns[event.subject.type];
  if (!noun) return [];
  const account = event.accountId;
  const record = recordKey(account, noun, event.subject.id);
  const key = auditKey(account, noun, event.subject.id, event.id);
  return [{ event, record, item: { ...key, type: 'audit', ...auditEntryOf(event) } }];
}

const isDeletion = ({ kind }: Event): boolean => kind.endsWith('_deleted');

const auditEntries = (partition: string) => queryItems({ partition, sortKey: auditRange });
