import { filterBy, filterByTime } from '../endpoints/listing.ts';
import type { AccountId } from '../id/account-id.ts';
import { array, date, string } from '../schema.ts';
import type { ListSource } from '../table/list-source.ts';
import { countOf, viewOf } from '../table/views.ts';
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
  dueBefore: filterByTime(indexedInvoiceFields, 'dueDate', 'Only invoices that are due before this time.'),
  dueAfter: filterBy(
    date({ description: 'Only invoices that are due after this day.' }),
    ({ dueDate }: InvoiceSummary, day) => dueDate !== undefined && dueTimeOf(dueDate) > dueTimeOf(day),
  ),
};

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
  return viewOf<InvoiceSummary>(
    invoices,
    account,
    'state',
    status.map((of) => [of]),
    count,
  );
}
