import { ApiError, invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { firstIdAt } from '../id/mint.ts';
import { array, date, dateTime, object, oneOf, optional, recordId, type Static, string } from '../schema.ts';
import { inParallel } from '../table/in-parallel.ts';
import { digits } from '../table/keys.ts';
import type { Customer } from './keys.ts';
import { entriesBetween, entryKinds, type LedgerEntry, sumsBefore } from './ledger.ts';
import { currency, customerId, customerType, customerTypes, reportedAmount } from './schema.ts';

export const StatementQuery = object({
  customerType: optional(oneOf(customerTypes, { default: 'merchant' })),
  customerId,
  from: date({ description: 'The first day, in UTC.', examples: ['2026-01-01'] }),
  to: date({ description: 'The last day, in UTC.', examples: ['2026-03-31'] }),
});

const StatementEntry = object({
  id: recordId(),
  createdAt: dateTime(),
  kind: oneOf(entryKinds),
  invoiceId: recordId(),
  invoiceNumber: string({ examples: ['INV-000042'] }),
  reference: optional(string({ examples: ['wire-20260301-17'] })),
  currency,
  amount: reportedAmount('Positive if the customer owes more afterwards.', 27_063),
  balance: reportedAmount('The balance in this currency after this entry.', 27_063),
});

export const CustomerStatement = object({
  customerType,
  customerId,
  from: date(),
  to: date(),
  balances: array(
    object({
      currency,
      opening: reportedAmount('The balance before the first day.', 0),
      closing: reportedAmount('The balance at the end of the last day.', 27_063),
    }),
  ),
  entries: array(StatementEntry, { description: 'Oldest first.' }),
});
export type CustomerStatement = Static<typeof CustomerStatement>;

/** The most entries that a statement reads. */
const mostEntriesRead = 5_000;

interface Period {
  from: string;
  to: string;
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);
const endOf = (day: string): Date => new Date(startOf(day).getTime() + 86_400_000);

/**
 * Reads what a statement needs: one sum for each earlier month, and the entries from the start of the first month. Throws
 * `invalid_input` if the period is reversed, and `statement_too_long` for more than 5,000 entries.
 */
export async function readStatement(account: AccountId, customer: Customer, { from, to }: Period) {
  if (from > to) throw invalid('to', 'must not be before from');
  const month = from.slice(0, 7);
  // Ids begin at 0 in 2025. A range of keys must not end before it begins.
  const last = Math.max(0, firstIdAt(endOf(to)) - 1);
  const range = { from: digits(firstIdAt(startOf(`${month}-01`))), to: digits(last) };
  const [sums, entries] = await inParallel([
    sumsBefore(account, customer, month),
    entriesBetween(account, customer, { ...range, limit: mostEntriesRead + 1 }),
  ]);
  if (entries.length > mostEntriesRead) throw new ApiError('statement_too_long');
  return { sums, entries };
}

/** Builds a statement. `sums` contains the sums before the first month, and `entries` the entries since its start. */
export function statementOf(
  customer: Pick<CustomerStatement, 'customerType' | 'customerId'>,
  { from, to }: Period,
  { sums, entries }: { sums: ReadonlyMap<string, number>; entries: readonly LedgerEntry[] },
): CustomerStatement {
  const balances = new Map(sums);
  const add = ({ currency: of, amount }: LedgerEntry): number => {
    const balance = (balances.get(of) ?? 0) + amount;
    balances.set(of, balance);
    return balance;
  };
  const start = startOf(from).toISOString();
  for (const entry of entries) if (entry.createdAt < start) add(entry);
  const opening = new Map(balances);
  const listed = entries
    .filter(({ createdAt }) => createdAt >= start)
    .map(({ customerType: _, customerId: __, ...entry }) => ({
      ...entry,
      balance: add({ ...customer, ...entry }),
    }));
  return {
    ...customer,
    ...{ from, to },
    balances: [...balances]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([of, closing]) => ({ currency: of, opening: opening.get(of) ?? 0, closing })),
    entries: listed,
  };
}
