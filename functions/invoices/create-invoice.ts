import { requireCustomer } from '../../shared/billing/customers.ts';
import { invoiceCreated } from '../../shared/billing/events.ts';
import { newInvoice } from '../../shared/billing/new-invoice.ts';
import { Invoice, InvoiceInput } from '../../shared/billing/schema.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices',
  permission: 'writeInvoices',
  reach: 'merchant',
  body: InvoiceInput,
  response: Invoice,
  success: 'created',
  errors: ['customer_unknown'],
  emits: ['invoice_created'],
  summary: 'Create a draft of an invoice',
  description: 'The service computes all amounts. A draft has no number and is not owed.',
  read: ({ account, body, requireReach }) => requireCustomer(account, body, requireReach),
  decide: (request, customer) => {
    const invoice = newInvoice(request, request.body, customer);
    return { response: invoice, writes: invoices.insert(invoice), events: invoiceCreated(invoice) };
  },
});
