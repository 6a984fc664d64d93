import type { AccountId } from '../id/account-id.ts';
import { mintedAt, mintId } from '../id/mint.ts';
import { recordOf } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { addToCounter, putIfAbsent, type Write } from '../table/operations.ts';
import { queryItems, queryWithin } from '../table/read.ts';
import { type Customer, entryKey, entryPosition, ledgerPartition, monthKey, monthRange } from './keys.ts';
import type { Invoice } from './schema.ts';

export const entryKinds = [
  'invoice',
  'payment',
  'refund',
  'credit',
  'void',
  'write_off',
  'write_off_reversal',
] as const;

/** A change of what a customer owes. Entries never change. */
export interface LedgerEntry extends Customer {
  id: number;
  kind: (typeof entryKinds)[number];
  invoiceId: number;
  invoiceNumber: string;
  currency: string;
  /** Positive if the customer owes more afterwards. In the smallest unit of the currency. */
  amount: number;
  reference?: string;
  createdAt: string;
}

/** An entry before it is stored. */
export type EntryDraft = Pick<LedgerEntry, 'kind' | 'amount' | 'reference'>;

/**
 * Returns the writes of new entries about invoices, and the additions to the sums of the months: one for each customer,
 * currency and month, as a transaction changes an item once. Entries without an amount are omitted. The time of an entry
 * is that of its id, so that statements select entries and sums by the same time.
 */
export function ledgerWrites(
  changes: readonly { after: Invoice; entries: readonly EntryDraft[] }[],
  now: Date,
): Write[] {
  const entries = changes.flatMap(({ after: invoice, entries: drafts }) =>
    drafts.filter(({ amount }) => amount !== 0).map((draft) => newEntry(invoice, draft, now)),
  );
  const sums = new Map<string, { key: Key; sum: number }>();
  for (const { account, entry } of entries) {
    const key = monthKey(account, entry, entry.currency, entry.createdAt.slice(0, 7));
    const name = `${key.pk} ${key.sk}`;
    sums.set(name, { key, sum: (sums.get(name)?.sum ?? 0) + entry.amount });
  }
  return [
    ...entries.map(({ account, entry }) =>
      putIfAbsent({ ...entryKey(account, entry, entry.id), type: 'ledger-entry', ...entry }),
    ),
    ...[...sums.values()].map(({ key, sum }) => addToCounter(key, sum)),
  ];
}

function newEntry(
  { accountId: account, currency, customerType, customerId, id: invoiceId, number = '' }: Invoice,
  { kind, amount, reference }: EntryDraft,
  now: Date,
): { account: AccountId; entry: LedgerEntry } {
  const id = mintId(now);
  return {
    account,
    entry: {
      ...{ customerType, customerId },
      ...{ id, kind, invoiceId, invoiceNumber: number, currency, amount },
      ...(reference !== undefined && { reference }),
      createdAt: mintedAt(id).toISOString(),
    },
  };
}

/** Returns the sums of the months before `month`, by currency. Reads one small item for each month and currency. */
export async function sumsBefore(
  account: AccountId,
  customer: Customer,
  month: string,
): Promise<Map<string, number>> {
  const items = await queryItems({
    partition: ledgerPartition(account, customer),
    sortKey: monthRange,
  });
  const sums = new Map<string, number>();
  for (const { sk, count } of items) {
    const [, currency = '', at = ''] = sk.split('#');
    if (at < month) sums.set(currency, (sums.get(currency) ?? 0) + Number(count));
  }
  return sums;
}

/** Returns the entries between two positions, oldest first, at most `limit`. */
export async function entriesBetween(
  account: AccountId,
  customer: Customer,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<LedgerEntry[]> {
  const { items } = await queryWithin(
    {
      partition: ledgerPartition(account, customer),
      sortKey: { from: entryPosition(from), to: entryPosition(to) },
    },
    { limit },
  );
  return items.map((item) => recordOf<LedgerEntry>(item));
}
