import { InvoiceParams, InvoiceWithAudit } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoicesWithAudit } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'GET',
  path: '/invoices/{invoiceId}',
  permission: 'readInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  response: InvoiceWithAudit,
  summary: 'Read an invoice with its payments and its audit log',
  read: (input) => shownInvoice(input, invoicesWithAudit.get(input.account, input.params.invoiceId)),
  decide: (_, invoice) => ({ response: invoice }),
});
