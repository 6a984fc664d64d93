import { UnmatchedPayment } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/billing/unmatched-payments',
    permission: 'readInvoices',
    item: UnmatchedPayment,
    fields: {
      createdAt: ['sort'],
      reason: ['filter'],
      notice: ['filter'],
      occurredAt: ['sort'],
      invoiceNumber: ['filter', 'search'],
      amount: ['sort'],
      reference: ['filter', 'search'],
    },
    summary: 'List notifications of the payment provider that fit no invoice',
  },
  ({ account }) => unmatchedPayments.listOf(account),
);
