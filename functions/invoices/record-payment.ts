import { recordPayment } from '../../shared/billing/change-invoice.ts';
import { entryEffects } from '../../shared/billing/change-writes.ts';
import { paymentRecorded } from '../../shared/billing/events.ts';
import { InvoiceParams, InvoicePayment, PaymentInput } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { refuseCardNumbers } from '../../shared/security/card-numbers.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/{invoiceId}/payments',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  body: PaymentInput,
  response: InvoicePayment,
  success: 'created',
  errors: ['invoice_not_open', 'invoice_full', 'payment_exceeds_due', 'reference_reused'],
  emits: ['payment_received', 'payment_failed'],
  summary: 'Record a received or failed payment',
  description:
    'The service moves no money. A repeated request with the same reference, amount and result returns the first payment. A failed and a received payment can have the same reference. An overpayment is rejected: record only the amount due.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: (request, invoice) => {
    const { reference, reason } = request.body;
    refuseCardNumbers({ reference, reason });
    const recorded = recordPayment(invoice, request.body, request);
    return { response: recorded.entry, ...entryEffects(invoice, recorded, paymentRecorded, request) };
  },
});
