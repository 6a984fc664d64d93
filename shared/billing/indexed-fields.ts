import type { IndexedFields } from '../search/indexed-fields.ts';
import { type InvoiceSummary, invoiceStatuses } from './schema.ts';

export const indexedInvoiceFields: IndexedFields<InvoiceSummary> = {
  resource: 'invoice',
  names: ['id', 'number', 'customerName', 'customerId'],
  texts: [],
  values: ['status', 'number', 'customerType', 'customerId', 'currency', 'createdBy'],
  always: { field: 'status', values: invoiceStatuses },
  times: { dueDate: ({ dueDate }) => dueDate && dueTimeOf(dueDate) },
};

/** The instant by which filters compare a due date: the start of the day in UTC. */
export const dueTimeOf = (dueDate: string): string => `${dueDate}T00:00:00.000Z`;
