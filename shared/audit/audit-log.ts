import type { Event } from '../../events/event.ts';
import type { AccountId } from '../accounts/account-id.ts';
import { putAll, removeAll } from '../table/batch-write.ts';
import { isTombstone } from '../table/item.ts';
import { auditKey, type ListedNoun, recordKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import { auditEntryOf } from './entry.ts';

/** The listed noun behind a subject that carries an audit log. */
const audited: Readonly<Record<string, ListedNoun>> = { lead: 'LEAD' };

/**
 * Writes the audit entry of each event beside its record, and returns the ids of the events whose entry was not
 * written. An entry follows from its event alone and is keyed by its id, so writing it again changes nothing.
 *
 * An entry lives as long as its record. Deleting a record removes its entries afterwards; an entry that comes
 * later than that finds the tombstone here and goes again.
 */
export async function writeAuditEntries(events: Event[]): Promise<ReadonlySet<number>> {
  const entries = events.flatMap((event) => {
    const noun = audited[event.subject.type];
    if (!noun || typeof event.subject.id !== 'number') return [];
    const account = event.accountId as AccountId;
    const key = auditKey(account, noun, event.subject.id, event.id);
    return [{ key, record: recordKey(account, noun, event.subject.id), item: { ...key, type: 'audit', ...auditEntryOf(event) } }];
  });
  const distinct = [...new Map(entries.map((entry) => [entry.item.id, entry])).values()];
  const unwritten = await putAll(distinct.map(({ item }) => item));
  const records = await getItems(distinct.map(({ record }) => record));
  const orphans = distinct.filter((_, index) => {
    const record = records[index];
    return record !== undefined && isTombstone(record);
  });
  const unremoved = await removeAll(orphans.map(({ key }) => key));
  const again = new Set([...unwritten, ...unremoved].map(({ pk, sk }) => `${pk}\n${sk}`));
  return new Set(distinct.filter(({ key }) => again.has(`${key.pk}\n${key.sk}`)).map(({ item }) => item.id));
}
