import type { AccountId } from '../id/account-id.ts';
import { mintedAt, mintId } from '../id/mint.ts';
import { recordOf } from '../table/item.ts';
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
 * Returns the writes of new entries about an invoice, and the additions to the sum of the month. Entries without an amount
 * are omitted. The time of an entry is that of its id, so that statements select entries and sums by the same time.
 */
export function ledgerWrites(invoice: Invoice, drafts: readonly EntryDraft[], now: Date): Write[] {
  const { accountId: account, currency, customerType, customerId, number = '' } = invoice;
  const customer = { customerType, customerId };
  const entries = drafts
    .filter(({ amount }) => amount !== 0)
    .map(({ kind, amount, reference }): LedgerEntry => {
      const id = mintId(now);
      return {
        ...customer,
        ...{ id, kind, invoiceId: invoice.id, invoiceNumber: number, currency, amount },
        ...(reference !== undefined && { reference }),
        createdAt: mintedAt(id).toISOString(),
      };
    });
  const sums = new Map<string, number>();
  for (const { createdAt, amount } of entries) {
    const month = createdAt.slice(0, 7);
    sums.set(month, (sums.get(month) ?? 0) + amount);
  }
  return [
    ...entries.map((entry) =>
      putIfAbsent({ ...entryKey(account, customer, entry.id), type: 'ledger-entry', ...entry }),
    ),
    ...[...sums].map(([month, sum]) => addToCounter(monthKey(account, customer, currency, month), sum)),
  ];
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
