import type { Described } from '../../events/subject.ts';
import { countedForParticipants } from '../../people/ownership/count-shared.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { type ClockEntry, nextBreach } from '../../sla/clock.ts';
import type { ChildTotals } from '../../table/child-store.ts';
import type { Write } from '../../table/operations.ts';
import { recordStore } from '../../table/record-store.ts';
import { secondaryIndexes } from '../../table/secondary-indexes.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { clockEntries } from './clock-entries.ts';
import { indexedTicketFields } from './indexed-fields.ts';
import type { StoredTicket, TicketSummary } from './stored-ticket.ts';
import { largestSummary, summarizeTicket } from './summarize-ticket.ts';
import { deleteTicketNumber, putTicketNumber } from './ticket-number.ts';

const holderOf = ({ assignedTo = unassigned }: StoredTicket): string => assignedTo;

const records = recordStore<StoredTicket, 'ticket', TicketSummary>({
  resource: 'ticket',
  children: true,
  summary: summarizeTicket,
  largestSummary,
  indexedFields: indexedTicketFields,
  indexes: secondaryIndexes<StoredTicket>({
    state: ({ status }) => [status],
    holder: (ticket) => [holderOf(ticket), ticket.status],
    due: ({ clock }) => nextBreach(clock),
    countedAs: (ticket) => [
      { of: ticket.status },
      { of: ticket.status, within: [holderOf(ticket)] },
      ...countedForParticipants(ticket, holderOf(ticket)),
    ],
  }),
});

export interface NewTicket {
  ticket: StoredTicket;
  entries: readonly ClockEntry[];
  /** The totals of documents that the same transaction creates. */
  childTotals?: ChildTotals;
}

/**
 * The tickets of an account. One transaction writes the record and the summary of a ticket, an item that maps the
 * ticket number to the ticket, and an item for each ledger entry.
 */
export const tickets = {
  ...records,

  describe: ({ ticketNumber, subject, assignedTo }: StoredTicket): Described => ({
    label: `${ticketNumber} ${subject}`,
    assignedTo,
  }),

  insert: ({ ticket, entries, childTotals }: NewTicket): Write[] => [
    ...records.insert(ticket, undefined, childTotals),
    putTicketNumber(ticket),
    ...clockEntries.insert(ticket, entries),
  ],

  change: ({ before, after, entries }: ChangedTicket): Write[] =>
    before === after ? [] : [...records.replace(before, after), ...clockEntries.insert(after, entries)],

  /** Leaves a tombstone. Child items are deleted later. */
  delete: (ticket: StoredTicket, now: Date): Write[] => [
    ...records.delete(ticket, now),
    deleteTicketNumber(ticket),
  ],
};
