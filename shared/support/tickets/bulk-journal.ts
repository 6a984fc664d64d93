import type { AccountId } from '../../id/account-id.ts';
import { asSeconds, isExpired, recordOf } from '../../table/item.ts';
import { putIfAbsentOrExpired, type TransactItem } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import type { BulkError } from './bulk-schema.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { bulkKey, bulkPartition } from './keys.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { includesTag } from './tags.ts';

/** What a bulk may change of a ticket, beside its tags. Null is none. */
const fields = ['status', 'priority', 'assignedTo', 'assignedTeamId'] as const;

/** What a bulk made of one field. */
export interface FieldChange<V> {
  from: V;
  to: V;
}

type FieldChanges = {
  [F in (typeof fields)[number]]?: FieldChange<NonNullable<StoredTicket[F]> | null>;
};

/** What a bulk did to one ticket. */
export interface JournalEntry {
  ticketId: number;
  /** As the bulk named it, and at which place of its results. */
  sentAs: string;
  place: number;
  changes: FieldChanges;
  /** A tag by itself, whatever else the ticket has. */
  tag?: { name: string; added: boolean };
  /** What the bulk said of the ticket, where it could not do all of it. */
  error?: BulkError;
}

const keptMilliseconds = 24 * 3600 * 1000;

/**
 * What each bulk did, for a day: a row for each ticket, written with its change. A row is written once, so that whoever
 * repeats a bulk, even at the same time, changes no ticket twice.
 */
export const bulkJournal = {
  /** Conflicts where this bulk changed the ticket already. */
  put: (account: AccountId, bulkId: string, done: JournalEntry, now: Date): TransactItem =>
    putIfAbsentOrExpired(
      {
        ...bulkKey(account, bulkId, done.ticketId),
        type: 'bulk-change',
        ...done,
        expiresAtSeconds: asSeconds(new Date(now.getTime() + keptMilliseconds)),
      },
      now,
    ),

  /** What a bulk did to a ticket; undefined where it did nothing, or that is forgotten. */
  async find(
    account: AccountId,
    bulkId: string,
    ticketId: number,
    now: Date,
  ): Promise<JournalEntry | undefined> {
    const item = await getItem(bulkKey(account, bulkId, ticketId));
    return item && !isExpired(item, now) ? recordOf<JournalEntry>(item) : undefined;
  },

  /** All that a bulk did, in the order of its results. */
  async of(account: AccountId, bulkId: string, now: Date): Promise<JournalEntry[]> {
    const items = await queryItems({ partition: bulkPartition(account, bulkId) });
    return items
      .filter((item) => !isExpired(item, now))
      .map((item) => recordOf<JournalEntry>(item))
      .sort((one, other) => one.place - other.place);
  },
};

/** What a change made of a ticket, as far as a bulk changes any. */
export function journalChanges({ before, after }: ChangedTicket): Pick<JournalEntry, 'changes' | 'tag'> {
  const changed = fields.filter((field) => before[field] !== after[field]);
  const added = after.tags.find((tag) => !includesTag(before.tags, tag));
  const name = added ?? before.tags.find((tag) => !includesTag(after.tags, tag));
  return {
    changes: Object.fromEntries(
      changed.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
    ),
    ...(name !== undefined && { tag: { name, added: added !== undefined } }),
  };
}
