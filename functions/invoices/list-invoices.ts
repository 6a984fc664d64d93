import { indexedInvoiceFields } from '../../shared/billing/indexed-fields.ts';
import { invoiceFilters, invoicesOf } from '../../shared/billing/list-invoices.ts';
import { InvoiceSummary } from '../../shared/billing/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { parentOfInvoice } from '../../shared/endpoints/parent-records.ts';
import { hiddenWithParents } from '../../shared/endpoints/read-shown.ts';

export default listing(
  {
    path: '/invoices',
    permission: 'readInvoices',
    reach: 'merchant',
    parents: hiddenWithParents(parentOfInvoice),
    item: InvoiceSummary,
    customFilters: invoiceFilters,
    indexed: ['status'],
    indexedFields: indexedInvoiceFields,
    summary: 'List invoices',
    description:
      'Omits lines, payments, refunds and credits. The invoices of merchants that the caller does not reach are left out, and then `totalCount` is exact only on the last page.',
  },
  ({ account }, answered) => invoicesOf(account, answered),
);
