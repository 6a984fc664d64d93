import { recordRefund } from '../../shared/billing/change-invoice.ts';
import { entryEffects } from '../../shared/billing/change-writes.ts';
import { refundIssued } from '../../shared/billing/events.ts';
import { InvoiceParams, InvoiceRefund, RefundInput } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { refuseCardNumbers } from '../../shared/security/card-numbers.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/{invoiceId}/refunds',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  body: RefundInput,
  response: InvoiceRefund,
  success: 'created',
  errors: ['invoice_not_open', 'invoice_full', 'refund_exceeds_received', 'reference_reused'],
  emits: ['refund_issued'],
  summary: 'Record a refund of received payments',
  description:
    'At most the received payments that were not refunded. A repeated request with the same reference and amount returns the first refund. By default, the amount is also credited. With `reopens`, it is to be paid again.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: (request, invoice) => {
    const { reference, reason } = request.body;
    refuseCardNumbers({ reference, reason });
    const recorded = recordRefund(invoice, request.body, request);
    return { response: recorded.entry, ...entryEffects(invoice, recorded, refundIssued, request) };
  },
});
