import { voidInvoice } from '../../shared/billing/change-invoice.ts';
import { changedInvoice } from '../../shared/billing/change-writes.ts';
import { invoiceHappened } from '../../shared/billing/events.ts';
import { Invoice, InvoiceParams } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/{invoiceId}/void',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  ...emptyBody,
  response: Invoice,
  errors: ['invoice_not_open', 'invoice_has_payments'],
  happenings: ['invoice_voided'],
  destructive: true,
  summary: 'Void an open invoice',
  description: 'The number remains used. Payments must be refunded first.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: (request, invoice) => {
    const change = voidInvoice(invoice, request);
    return changedInvoice(invoice, change, request, invoiceHappened('invoice_voided', change.after, {}));
  },
});
