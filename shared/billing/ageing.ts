import type { AccountId } from '../id/account-id.ts';
import { array, boolean, date, object, optional, type Static, string } from '../schema.ts';
import { invoicesOf } from './list-invoices.ts';
import { currency, customerId, customerType, type InvoiceSummary, reportedAmount } from './schema.ts';

/** The most open invoices that a report reads: at most 5 MB. */
const mostInvoices = 5_000;

export const AgeingQuery = object({
  asOf: optional(date({ description: 'The day with which due dates are compared. Default: today, in UTC.' })),
  customerId: optional(customerId),
  currency: optional(currency),
});

const bucketFields = {
  current: reportedAmount('Not due yet, or due on this day.', 27_063),
  days1To30: reportedAmount('Overdue by 1 to 30 days.'),
  days31To60: reportedAmount('Overdue by 31 to 60 days.'),
  days61To90: reportedAmount('Overdue by 61 to 90 days.'),
  over90: reportedAmount('Overdue by more than 90 days.'),
  total: reportedAmount('The sum of all amounts.', 27_063),
};
type Buckets = Record<keyof typeof bucketFields, number>;

export const AgeingReport = object({
  asOf: date(),
  customers: array(
    object({
      customerType,
      customerId,
      customerName: string({ examples: ['Harbor Street Coffee'] }),
      currency,
      ...bucketFields,
    }),
    { description: 'The largest total first, by currency.' },
  ),
  totals: array(object({ currency, ...bucketFields })),
  complete: boolean({
    description: 'False if the account has more than 5,000 open invoices. Then the oldest are missing.',
  }),
});
export type AgeingReport = Static<typeof AgeingReport>;

interface OpenInvoices {
  invoices: InvoiceSummary[];
  complete: boolean;
}

/** Reads the open invoices from the index of statuses, newest first. */
export async function readOpenInvoices(account: AccountId): Promise<OpenInvoices> {
  const { items } = await invoicesOf(account, { status: ['open'] }).newest({ limit: mostInvoices + 1 });
  return { invoices: items.slice(0, mostInvoices), complete: items.length <= mostInvoices };
}

const dayOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / 86_400_000;

/** Returns the name of the column of an invoice that is due on a day. */
export function ageOf(dueDate: string | undefined, asOf: string): Exclude<keyof Buckets, 'total'> {
  const overdue = dueDate === undefined ? 0 : dayOf(asOf) - dayOf(dueDate);
  if (overdue <= 0) return 'current';
  if (overdue <= 30) return 'days1To30';
  if (overdue <= 60) return 'days31To60';
  return overdue <= 90 ? 'days61To90' : 'over90';
}

const empty = (): Buckets => ({
  current: 0,
  days1To30: 0,
  days31To60: 0,
  days61To90: 0,
  over90: 0,
  total: 0,
});

/** Sums the amounts due of open invoices by customer, currency and days overdue. */
export function ageingReport(
  { invoices, complete }: OpenInvoices,
  asOf: string,
  wanted: { customerId?: string; currency?: string },
): AgeingReport {
  const customers = new Map<string, AgeingReport['customers'][number]>();
  const totals = new Map<string, Buckets>();
  for (const invoice of invoices) {
    if (wanted.customerId !== undefined && invoice.customerId !== wanted.customerId) continue;
    if (wanted.currency !== undefined && invoice.currency !== wanted.currency) continue;
    const { customerType: type, customerId: id, customerName, currency: of, amountDue, dueDate } = invoice;
    const key = `${type} ${id} ${of}`;
    const row = customers.get(key) ?? {
      ...{ customerType: type, customerId: id, customerName, currency: of },
      ...empty(),
    };
    const sum = totals.get(of) ?? empty();
    const bucket = ageOf(dueDate, asOf);
    for (const buckets of [row, sum]) {
      buckets[bucket] += amountDue;
      buckets.total += amountDue;
    }
    customers.set(key, row);
    totals.set(of, sum);
  }
  return {
    asOf,
    customers: [...customers.values()].sort((one, other) =>
      one.currency === other.currency ? other.total - one.total : one.currency < other.currency ? -1 : 1,
    ),
    totals: [...totals]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([of, sums]) => ({ currency: of, ...sums })),
    complete,
  };
}
