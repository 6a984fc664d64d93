import { creditInvoice } from '../../shared/billing/change-invoice.ts';
import { changedInvoice } from '../../shared/billing/change-writes.ts';
import { invoiceHappened } from '../../shared/billing/events.ts';
import { CreditInput, InvoiceCredit, InvoiceParams } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/{invoiceId}/credits',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  body: CreditInput,
  response: InvoiceCredit,
  success: 'created',
  errors: ['invoice_not_open', 'invoice_full', 'credit_exceeds_due'],
  happenings: ['invoice_credited'],
  summary: 'Reduce the amount due of an open invoice',
  description: 'The lines and the total do not change. If nothing remains to be paid, the invoice is paid.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: (request, invoice) => {
    const { credit, ...change } = creditInvoice(invoice, request.body, request);
    const { amount, reason } = credit;
    const events = invoiceHappened('invoice_credited', change.after, { amount, reason });
    return { ...changedInvoice(invoice, change, request, events), response: credit };
  },
});
