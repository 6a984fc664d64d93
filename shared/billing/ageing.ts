import type { AccountId } from '../id/account-id.ts';
import { firstIdAt } from '../id/mint.ts';
import { array, boolean, date, object, optional, type Static, string } from '../schema.ts';
import { inParallel } from '../table/in-parallel.ts';
import { digits } from '../table/keys.ts';
import type { Bounds } from '../table/read.ts';
import { entriesBetween } from './ledger.ts';
import { invoicesOf } from './list-invoices.ts';
import {
  currency,
  customerId,
  customerType,
  type InvoiceStatus,
  type InvoiceSummary,
  reportedAmount,
} from './schema.ts';

/** The most open invoices that a report reads: at most 5 MB. */
const mostInvoices = 5_000;

export const AgeingQuery = object({
  asOf: optional(
    date({
      description:
        'The day with which due dates are compared. A past day shows what was due at its end. Default: today, in the account’s time zone.',
    }),
  ),
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
    description:
      'False if the account has more than 5,000 open invoices. Then the oldest are missing. For a past day, the same limit applies to the paid, void and uncollectible invoices that were created until then, and to the ledger entries of a customer since then.',
  }),
});
export type AgeingReport = Static<typeof AgeingReport>;

interface OpenInvoices {
  invoices: InvoiceSummary[];
  complete: boolean;
}

/** Reads the newest invoices with these statuses from the index of statuses, at most 5,000. */
async function readNewest(
  account: AccountId,
  status: readonly InvoiceStatus[],
  bounds: Pick<Bounds, 'before'> = {},
): Promise<OpenInvoices> {
  const { items } = await invoicesOf(account, { status }).newest({ limit: mostInvoices + 1, ...bounds });
  return { invoices: items.slice(0, mostInvoices), complete: items.length <= mostInvoices };
}

/** Reads the open invoices, newest first. */
export const readOpenInvoices = (account: AccountId): Promise<OpenInvoices> => readNewest(account, ['open']);

/** How many customers’ ledgers are read at the same time. */
const atOnce = 20;

/**
 * Returns the invoices that were open at an instant in the past, with the amounts due then. `now` are the open invoices of
 * today. The amount due at the instant is the present one without the entries that the ledger got since.
 */
export async function openInvoicesAt(
  account: AccountId,
  instant: Date,
  now: OpenInvoices,
): Promise<OpenInvoices> {
  const before = digits(firstIdAt(instant));
  const closed = await readNewest(account, ['paid', 'void', 'uncollectible'], { before });
  const at = instant.toISOString();
  // An invoice that was closed between the two reads is in both. The later read counts.
  const byId = new Map(
    [...now.invoices, ...closed.invoices].map((invoice) => [invoice.id, invoice] as const),
  );
  const opened = [...byId.values()].filter(({ openedAt = at }) => openedAt < at);
  const changed = opened.filter(({ updatedAt }) => updatedAt >= at);
  const customers = new Map(changed.map((one) => [`${one.customerType} ${one.customerId}`, one] as const));
  const since = new Map<number, number>();
  let complete = now.complete && closed.complete;
  const range = { from: before, to: digits(Number.MAX_SAFE_INTEGER), limit: mostInvoices + 1 };
  const waiting = [...customers.values()];
  while (waiting.length > 0) {
    const read = waiting.splice(0, atOnce).map((customer) => entriesBetween(account, customer, range));
    for (const entries of await inParallel(read)) {
      if (entries.length > mostInvoices) complete = false;
      for (const { invoiceId, amount } of entries) since.set(invoiceId, (since.get(invoiceId) ?? 0) + amount);
    }
  }
  const invoices = opened
    .map((invoice) => ({ ...invoice, amountDue: invoice.amountDue - (since.get(invoice.id) ?? 0) }))
    .filter(({ amountDue }) => amountDue > 0);
  return { invoices, complete };
}

const dayOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / 86_400_000;

/** Returns the name of the column of an invoice that is due on a day. */
function ageOf(dueDate: string | undefined, asOf: string): Exclude<keyof Buckets, 'total'> {
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
