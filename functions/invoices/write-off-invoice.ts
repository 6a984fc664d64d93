import { writeOffInvoice } from '../../shared/billing/change-invoice.ts';
import { changedInvoice } from '../../shared/billing/change-writes.ts';
import { invoiceHappened } from '../../shared/billing/events.ts';
import { Invoice, InvoiceParams } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/{invoiceId}/uncollectible',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  ...emptyBody,
  response: Invoice,
  errors: ['invoice_not_open'],
  happenings: ['invoice_written_off'],
  destructive: true,
  summary: 'Mark an open invoice as uncollectible',
  description: 'The amount due is written off. A payment that arrives later is still accepted.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: (request, invoice) => {
    const change = writeOffInvoice(invoice, request);
    const { after } = change;
    const events = invoiceHappened('invoice_written_off', after, { amount: after.writtenOff });
    return changedInvoice(invoice, change, request, events);
  },
});
