import { filterBy, filterByTime, type ListedAccount } from '../endpoints/list-filters.ts';
import { invalid } from '../errors.ts';
import { calendarDay } from '../formats.ts';
import type { AccountId } from '../id/account-id.ts';
import { asInstant, dayIn, startOfDay } from '../instant.ts';
import { array, date, string, zonedTime } from '../schema.ts';
import type { ListSource } from '../table/list-source.ts';
import { countOf, listOfIndex } from '../table/secondary-indexes.ts';
import { dueTimeOf, indexedInvoiceFields } from './indexed-fields.ts';
import { numbersOf } from './read-number.ts';
import type { InvoiceStatus, InvoiceSummary } from './schema.ts';
import { invoices } from './store.ts';

/** The filters of the list that compare more than a field with values. */
export const invoiceFilters = {
  number: filterBy(
    array(string({ minLength: 1, maxLength: 32 }), {
      description: 'Case, separators and leading zeros may differ.',
    }),
    ({ number }: InvoiceSummary, numbers) =>
      number !== undefined && numbers.some((text) => numbersOf(text).includes(number)),
    (numbers) => numbers.flatMap(numbersOf),
  ),
  dueBefore: {
    ...filterByTime(indexedInvoiceFields, 'dueDate', ''),
    schema: zonedTime('Only invoices that are due before this time.'),
    forCaller: (text: unknown, _: unknown, account: ListedAccount | undefined) =>
      account && dueBeforeIn(account.timezone, String(text)),
  },
  dueAfter: filterBy(
    date({ description: 'Only invoices that are due after this day.' }),
    ({ dueDate }: InvoiceSummary, day) => dueDate !== undefined && dueTimeOf(dueDate) > dueTimeOf(day),
  ),
};

/**
 * Returns the time with which `dueTimeOf` is compared, so that a due date begins at the start of the day in the account's
 * time zone. Throws `invalid_input`.
 */
function dueBeforeIn(timezone: string, text: string): string {
  const instant = asInstant(text);
  if (instant === undefined) throw invalid('dueBefore', 'must be an ISO 8601 date or date-time');
  if (calendarDay.test(text)) return dueTimeOf(text);
  const day = dayIn(timezone, new Date(instant));
  const isLater = startOfDay(day, timezone).toISOString() < instant;
  return isLater ? dueTimeOf(day).replace('.000', '.001') : dueTimeOf(day);
}

/** Returns the invoices as a list source. An index of the table applies the filter `status`. */
export function invoicesOf(
  account: AccountId,
  { status }: { status?: readonly InvoiceStatus[] },
): ListSource<InvoiceSummary> {
  if (!status) return invoices.listOf(account);
  const count = () =>
    countOf(
      invoices,
      account,
      status.map((of) => ({ of })),
    );
  return listOfIndex<InvoiceSummary>(
    invoices,
    account,
    'state',
    status.map((of) => [of]),
    count,
  );
}
