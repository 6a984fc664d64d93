import { requireDraft } from '../../shared/billing/change-invoice.ts';
import { invoiceHappened } from '../../shared/billing/events.ts';
import { Invoice, InvoiceParams } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'DELETE',
  path: '/invoices/{invoiceId}',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  response: Invoice,
  errors: ['invoice_not_draft'],
  happenings: ['invoice_deleted'],
  summary: 'Delete a draft and its audit log',
  description: 'An opened invoice cannot be deleted, because its number would be missing. Void it instead.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: ({ now }, invoice) => {
    requireDraft(invoice);
    return {
      response: invoice,
      writes: invoices.delete(invoice, now),
      events: invoiceHappened('invoice_deleted', invoice, {}),
    };
  },
});
