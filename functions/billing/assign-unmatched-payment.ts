import { assignPayment } from '../../shared/billing/provider/assign-payment.ts';
import { UnmatchedAssignment, UnmatchedParams } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import { Invoice } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/billing/unmatched-payments/{unmatchedId}/assign',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: UnmatchedParams,
  body: UnmatchedAssignment,
  response: Invoice,
  errors: [
    ...(['invoice_not_open', 'invoice_full', 'payment_exceeds_due'] as const),
    ...(['refund_exceeds_received', 'reference_reused', 'payment_unusable'] as const),
  ],
  emits: ['payment_received', 'payment_failed', 'refund_issued'],
  happenings: ['unmatched_payment_assigned'],
  summary: 'Apply an unmatched payment to an invoice',
  description: 'Records the payment or refund, and removes it from the list.',
  read: (input) => {
    const { account, params, body } = input;
    return inParallel([
      unmatchedPayments.get(account, params.unmatchedId),
      shownInvoice(input, invoices.get(account, body.invoiceId)),
    ]);
  },
  decide: (request, [payment, invoice]) => assignPayment(request, payment, invoice),
});
