import { ApiError, invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { firstIdAt } from '../id/mint.ts';
import { dayLength, daysAfter, endOfDay, startOfDay } from '../instant.ts';
import { array, date, dateTime, object, oneOf, optional, recordId, type Static, string } from '../schema.ts';
import { inParallel } from '../table/in-parallel.ts';
import { digits } from '../table/keys.ts';
import type { Customer } from './keys.ts';
import { entriesBetween, entryKinds, type LedgerEntry, sumsBefore } from './ledger.ts';
import { currency, customerId, customerType, customerTypes, reportedAmount } from './schema.ts';

export const StatementQuery = object({
  customerType: optional(oneOf(customerTypes, { default: 'merchant' })),
  customerId,
  from: date({ description: 'The first day, in the account’s time zone.', examples: ['2026-01-01'] }),
  to: date({ description: 'The last day, in the account’s time zone.', examples: ['2026-03-31'] }),
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

/** A day before all entries. Ids, and so the times of entries, begin in 2025. Time zones of the first years are not exact. */
const early = '2024-12-01';
const atLeast = (day: string): string => (day < early ? early : day);

interface StatementParts {
  /** The sums before the first month, by currency. Months are in UTC. */
  sums: ReadonlyMap<string, number>;
  /** The entries since the start of this month. */
  entries: readonly LedgerEntry[];
}

/**
 * Reads what a statement needs: one sum for each earlier month, and the entries from the start of the first month. The
 * period is read with a day more on both sides, because this read runs before the time zone of the account is known. Throws
 * `invalid_input` if the period is reversed, and `statement_too_long` for more than 5,000 entries.
 */
export async function readStatement(
  account: AccountId,
  customer: Customer,
  { from, to }: Period,
): Promise<StatementParts> {
  requireValid(customer, { from, to });
  const month = daysAfter(atLeast(from), -1).slice(0, 7);
  const end = new Date(Date.parse(to) + 2 * dayLength);
  // A range of keys must not end before it begins.
  const last = Math.max(0, firstIdAt(end) - 1);
  const range = { from: digits(firstIdAt(new Date(`${month}-01T00:00:00.000Z`))), to: digits(last) };
  const [sums, entries] = await inParallel([
    sumsBefore(account, customer, month),
    entriesBetween(account, customer, { ...range, limit: mostEntriesRead + 1 }),
  ]);
  if (entries.length > mostEntriesRead) throw new ApiError('statement_too_long');
  return { sums, entries };
}

/** Returns the parts of a statement of an unknown customer. Throws the same errors about the input as `readStatement`. */
export function noEntries(customer: Customer, period: Period): StatementParts {
  requireValid(customer, period);
  return { sums: new Map(), entries: [] };
}

function requireValid({ customerId }: Customer, { from, to }: Period): void {
  if (from > to) throw invalid('to', 'must not be before from');
  // Ids are parts of keys, which # separates.
  if (customerId.includes('#')) throw invalid('customerId', 'must not contain #');
}

/** Builds a statement of days in a time zone. */
export function statementOf(
  customer: Pick<CustomerStatement, 'customerType' | 'customerId'>,
  { from, to }: Period,
  timezone: string,
  { sums, entries }: StatementParts,
): CustomerStatement {
  const balances = new Map(sums);
  const add = ({ currency: of, amount }: LedgerEntry): number => {
    const balance = (balances.get(of) ?? 0) + amount;
    balances.set(of, balance);
    return balance;
  };
  const start = startOfDay(atLeast(from), timezone).toISOString();
  const end = endOfDay(atLeast(to), timezone).toISOString();
  for (const entry of entries) if (entry.createdAt < start) add(entry);
  const opening = new Map(balances);
  const listed = entries
    .filter(({ createdAt }) => createdAt >= start && createdAt <= end)
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
