import { openInvoice } from '../../shared/billing/change-invoice.ts';
import { changedInvoice } from '../../shared/billing/change-writes.ts';
import { requireCustomer } from '../../shared/billing/customers.ts';
import { invoiceHappened } from '../../shared/billing/events.ts';
import { nextInvoiceNumber, takenNumbers } from '../../shared/billing/numbers.ts';
import { Invoice, InvoiceParams } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/{invoiceId}/open',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  ...emptyBody,
  response: Invoice,
  errors: ['customer_unknown', 'invoice_not_draft'],
  happenings: ['invoice_opened'],
  summary: 'Open a draft',
  description:
    'The invoice gets the next number of the account and the present name and address of the customer. Afterwards, it cannot be changed. An invoice with the total 0 is paid at once.',
  read: async (input) => {
    const { account, params } = input;
    const [invoice, taken] = await Promise.all([
      shownInvoice(input, invoices.get(account, params.invoiceId)),
      takenNumbers(account),
    ]);
    // Only the customer of a draft must still exist.
    const customer = invoice.status === 'draft' ? await requireCustomer(account, invoice) : invoice;
    return { invoice, taken, customer };
  },
  decide: (request, { invoice, taken, customer }) => {
    const { number, writes } = nextInvoiceNumber(request.account, taken, invoice.id);
    const change = openInvoice(invoice, number, customer, request);
    const events = invoiceHappened('invoice_opened', change.after, {});
    const changed = changedInvoice(invoice, change, request, events);
    return { ...changed, writes: [...changed.writes, ...writes] };
  },
});
