import type { Effects, EventDraft } from '../events/envelope.ts';
import type { Write } from '../table/operations.ts';
import type { Authored } from '../table/revise.ts';
import type { InvoiceChange, RecordedEntry } from './change-invoice.ts';
import { ledgerWrites } from './ledger.ts';
import type { Invoice } from './schema.ts';
import { invoices } from './store.ts';

/** Returns the writes of changed invoices and of the ledgers of their customers, for one transaction. */
export const changesWrites = (
  changes: readonly ({ before: Invoice } & InvoiceChange)[],
  now: Date,
): Write[] => [
  ...changes.flatMap(({ before, after }) => invoices.replace(before, after)),
  ...ledgerWrites(changes, now),
];

/** Returns the writes of a changed invoice and of the customer’s ledger. */
const changeWrites = (before: Invoice, change: InvoiceChange, now: Date): Write[] =>
  changesWrites([{ before, ...change }], now);

/** Returns the outcome of a request whose change of an invoice has no event kind of its own. */
export const changedInvoice = (
  before: Invoice,
  change: InvoiceChange,
  { now }: Authored,
  events: EventDraft[],
) => ({ response: change.after, writes: changeWrites(before, change, now), events });

/** Returns the writes and events of a payment or refund. A repeated one has none. */
export const entryEffects = <E>(
  before: Invoice,
  { entry, change }: RecordedEntry<E>,
  eventsOf: (after: Invoice, entry: E) => EventDraft[],
  { now }: Authored,
): Effects =>
  change
    ? { writes: changeWrites(before, change, now), events: eventsOf(change.after, entry) }
    : { writes: [], events: [] };
