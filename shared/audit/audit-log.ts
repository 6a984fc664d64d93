import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Event } from '../../events/event.ts';
import type { AccountId } from '../accounts/account-id.ts';
import { table, tableName } from '../table/client.ts';
import { isTombstone } from '../table/item.ts';
import { auditKey, type Key, type ListedNoun, recordKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import { auditEntryOf } from './entry.ts';

/** The listed noun behind a subject that carries an audit log. */
const audited: Record<string, ListedNoun> = { lead: 'LEAD' };

/**
 * Writes the audit entry of each event beside its record, and returns the ids of the events whose entry was not
 * written. An entry follows from its event alone and is keyed by its id, so writing it again changes nothing.
 *
 * An entry lives as long as its record. Deleting a record removes its entries afterwards; an entry that arrives
 * later still finds the tombstone here and goes again.
 */
export async function writeAuditEntries(events: Event[]): Promise<ReadonlySet<number>> {
  const entries = events.flatMap((event) => {
    const noun = audited[event.subject.type];
    if (!noun || typeof event.subject.id !== 'number') return [];
    const account = event.accountId as AccountId;
    const record = recordKey(account, noun, event.subject.id);
    return [{ event, record, key: auditKey(account, noun, event.subject.id, event.id) }];
  });
  const again = await writeAll(entries.map(({ event, key }) => ({ ...key, type: 'audit', ...auditEntryOf(event) })));
  const records = await getItems(entries.map(({ record }) => record));
  const orphans = entries.filter((_, index) => {
    const record = records[index];
    return record && isTombstone(record);
  });
  for (const key of await removeAll(orphans.map(({ key }) => key))) again.add(nameOf(key));
  return new Set(entries.filter(({ key }) => again.has(nameOf(key))).map(({ event }) => event.id));
}

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
