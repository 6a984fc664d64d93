import { UnmatchedPayment } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/billing/unmatched-payments',
    permission: 'readInvoices',
    item: UnmatchedPayment,
    filters: ['reason', 'notice', 'invoiceNumber', 'reference'],
    sorts: ['createdAt', 'occurredAt', 'amount'],
    searchable: ['invoiceNumber', 'reference'],
    summary: 'List notifications of the payment provider that fit no invoice',
  },
  ({ account }) => unmatchedPayments.listOf(account),
);
