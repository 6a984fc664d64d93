import { indexedFields } from '../search/indexed-fields.ts';
import { type SearchWord, searchWordsOf } from '../search/search-words.ts';
import { numbersOf } from './read-number.ts';
import { type InvoiceSummary, invoiceStatuses } from './schema.ts';

export const indexedInvoiceFields = indexedFields<InvoiceSummary>({
  resource: 'invoice',
  fields: {
    id: ['search'],
    status: ['filter'],
    customerType: ['value'],
    createdAt: ['sort'],
    updatedAt: ['sort'],
    dueDate: ['before', 'sort'],
    openedAt: ['sort'],
    number: ['value', 'search', 'sort'],
    customerName: ['search', 'sort'],
    customerId: ['filter', 'value', 'search'],
    currency: ['filter'],
    total: ['sort'],
    amountDue: ['sort'],
    createdBy: ['filter'],
  },
  always: { field: 'status', values: invoiceStatuses },
  wordsOf: invoiceWordsOf,
  times: { dueDate: ({ dueDate }) => dueDate && dueTimeOf(dueDate) },
});

/** The text by which filters compare a due date. It does not depend on the account's time zone, which can change. */
export const dueTimeOf = (dueDate: string): string => `${dueDate}T00:00:00.000Z`;

/** Returns the words of a search. A search for an invoice number in any spelling also finds the number as it is stored. */
function invoiceWordsOf(search: string): SearchWord[] {
  const words = searchWordsOf(search);
  const numbers = numbersOf(search).map((number) => [number.replace('-', '').toLowerCase()]);
  if (numbers.length === 0) return words;
  const asWritten = words.length === 1 ? (words[0] ?? []) : [words.flatMap(([first = []]) => first)];
  return [[...numbers, ...asWritten]];
}
