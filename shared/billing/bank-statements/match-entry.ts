import type { NumberMention } from '../read-number.ts';
import type { Invoice, InvoicePayment } from '../schema.ts';
import type { BankEntry } from './statement.ts';

export const mismatchReasons = [
  'no_number',
  'unknown_number',
  'several_invoices',
  'other_currency',
  'amount_differs',
  'invoice_not_open',
  'probable_duplicate',
] as const;
type MismatchReason = (typeof mismatchReasons)[number];

/** The most invoices of one transfer. All of them are paid in one transaction. */
const mostInvoices = 10;

/** The share of an invoice in a transaction. */
export interface Share {
  invoice: Invoice;
  amount: number;
}

export type EntryMatch =
  | { result: 'matched' | 'duplicate'; shares: readonly Share[] }
  | { result: 'unmatched'; reason: MismatchReason; invoice?: Invoice };

/** A transaction with the reference of its payments. */
export interface Payable extends BankEntry {
  reference: string;
}

/** A transaction of which the text was read. */
export interface Named extends Payable {
  /** The position among the rows of the statement, from 0. */
  place: number;
  mentions: readonly NumberMention[];
  account: string;
}

/** Reports whether a transaction brought money in that can be a payment. */
export const isPayable = ({ amount, held }: BankEntry): boolean => amount > 0 && held === undefined;

/** Returns the numbers of invoices that transactions may name. */
export const numbersIn = (entries: readonly Named[]): string[] => [
  ...new Set(entries.flatMap(({ mentions }) => mentions.flatMap(({ numbers }) => numbers))),
];

/** Returns the ids of all invoices that a transaction may name. */
export const idsNamed = ({ mentions }: Named, ids: ReadonlyMap<string, number>): number[] =>
  mentions.flatMap(({ numbers }) => numbers.flatMap((number) => ids.get(number) ?? []));

/**
 * Returns the ids of the invoices that a transaction names. Returns a reason if it names none, or if one of its numbers
 * can mean two known invoices.
 */
export function invoicesNamed(
  mentions: readonly NumberMention[],
  ids: ReadonlyMap<string, number>,
): number[] | 'no_number' | 'unknown_number' | 'several_invoices' {
  if (mentions.length === 0) return 'no_number';
  const known = mentions.map(({ numbers }) => new Set(numbers.flatMap((number) => ids.get(number) ?? [])));
  if (known.some(({ size }) => size > 1)) return 'several_invoices';
  const named = [...new Set(known.flatMap((found) => [...found]))];
  if (named.length === 0) return 'unknown_number';
  return named.length > mostInvoices ? 'several_invoices' : named;
}

/**
 * Decides which invoices a transaction pays. It pays one invoice if the amount is exactly the amount due, or a part of one
 * invoice if it has the exact number. It pays several open invoices if the amount is exactly their sum. `invoices` are those
 * that it names. `isProbable` reports whether an invoice has a payment of the same day and amount that no transaction of this
 * statement recorded: another export of the account, or a person.
 */
export function matchEntry(
  { amount, currency, reference, reverses }: Payable,
  mentions: readonly NumberMention[],
  invoices: readonly Invoice[],
  isProbable: (shares: readonly Share[]) => boolean,
): EntryMatch {
  const recorded = invoices.flatMap((invoice) => {
    const payment = invoice.payments.find((one) => one.reference === reference);
    return payment ? [{ invoice, amount: payment.amount }] : [];
  });
  if (recorded.length > 0) return { result: 'duplicate', shares: recorded };
  const [invoice, ...others] = invoices;
  if (!invoice) return { result: 'unmatched', reason: 'unknown_number' };
  const unmatched = (reason: MismatchReason): EntryMatch => ({
    ...{ result: 'unmatched', reason },
    ...(others.length === 0 && { invoice }),
  });
  if (invoices.some((one) => one.currency !== currency)) return unmatched('other_currency');
  if (others.length > 0) {
    const shares = invoices.map((one) => ({ invoice: one, amount: one.amountDue }));
    if (isProbable(sharesRecorded(invoices, amount))) return unmatched('probable_duplicate');
    const sum = shares.reduce((total, share) => total + share.amount, 0);
    const areOpen = invoices.every(({ status }) => status === 'open');
    return areOpen && sum === amount ? { result: 'matched', shares } : unmatched('several_invoices');
  }
  const shares = [{ invoice, amount }];
  if (isProbable(shares)) return unmatched('probable_duplicate');
  if (invoice.status !== 'open') return unmatched('invoice_not_open');
  const isExact = mentions.length === 1 && mentions[0]?.isExact === true;
  // A reversed transfer may name an invoice of its recipient, with a number that this account also has. So it must have the
  // whole amount due.
  const isPart = amount < invoice.amountDue && isExact && !reverses;
  return amount === invoice.amountDue || isPart ? { result: 'matched', shares } : unmatched('amount_differs');
}

/** Returns the shares of an earlier payment of several invoices, if their newest payments have exactly this sum. */
function sharesRecorded(invoices: readonly Invoice[], amount: number): Share[] {
  const shares = invoices.flatMap((invoice) => {
    const last = invoice.payments.findLast(({ result }) => result === 'received');
    return last ? [{ invoice, amount: last.amount }] : [];
  });
  const sum = shares.reduce((total, share) => total + share.amount, 0);
  return shares.length === invoices.length && sum === amount ? shares : [];
}

/** Reports whether a payment may be the same as a transaction of this day and amount. */
export const isSimilar = (
  { result, amount, method, paidOn }: InvoicePayment,
  share: { day: string; amount: number },
): boolean =>
  result === 'received' &&
  amount === share.amount &&
  (paidOn === undefined ? method === 'bank_transfer' : paidOn === share.day);
