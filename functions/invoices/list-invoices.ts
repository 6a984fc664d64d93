import { indexedInvoiceFields } from '../../shared/billing/indexed-fields.ts';
import { invoiceFilters, invoicesOf } from '../../shared/billing/list-invoices.ts';
import { InvoiceSummary } from '../../shared/billing/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/invoices',
    permission: 'readInvoices',
    item: InvoiceSummary,
    customFilters: invoiceFilters,
    indexed: ['status'],
    indexedFields: indexedInvoiceFields,
    summary: 'List invoices',
    description: 'Omits lines, payments, refunds and credits.',
  },
  ({ account }, answered) => invoicesOf(account, answered),
);
