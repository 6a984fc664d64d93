import type { AccountId } from '../../id/account-id.ts';
import { asSeconds, isExpired, recordOf } from '../../table/item.ts';
import { putIfAbsentOrExpired, type TransactItem } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import type { BulkError } from './bulk-schema.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { bulkKey, bulkPartition } from './keys.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { includesTag } from './tags.ts';

/** The fields that a bulk operation can change, besides tags. Null means empty. */
const fields = ['status', 'priority', 'assignedTo', 'assignedTeamId'] as const;

export interface FieldChange<V> {
  from: V;
  to: V;
}

type FieldChanges = { [F in (typeof fields)[number]]?: FieldChange<NonNullable<StoredTicket[F]> | null> };

export interface JournalEntry {
  ticketId: number;
  /** `sentAs`: the ticket's reference in the request. `place`: the ticket's index in the results. */
  sentAs: string;
  place: number;
  changes: FieldChanges;
  tag?: { name: string; added: boolean };
  error?: BulkError;
}

const keptMilliseconds = 24 * 3600 * 1000;

/**
 * The changes of each bulk operation, kept for a day. Each ticket has one entry, written in the transaction that
 * changes the ticket. An entry is written only once, so that no repeated or concurrent request changes a ticket twice.
 */
export const bulkJournal = {
  /** Fails the transaction with a conflict if this operation has already changed the ticket. */
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

  /** Returns the entry of a ticket, or undefined if the entry does not exist or has expired. */
  async find(
    account: AccountId,
    bulkId: string,
    ticketId: number,
    now: Date,
  ): Promise<JournalEntry | undefined> {
    const item = await getItem(bulkKey(account, bulkId, ticketId));
    return item && !isExpired(item, now) ? recordOf<JournalEntry>(item) : undefined;
  },

  async of(account: AccountId, bulkId: string, now: Date): Promise<JournalEntry[]> {
    const items = await queryItems({ partition: bulkPartition(account, bulkId) });
    return items
      .filter((item) => !isExpired(item, now))
      .map((item) => recordOf<JournalEntry>(item))
      .sort((one, other) => one.place - other.place);
  },
};

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
