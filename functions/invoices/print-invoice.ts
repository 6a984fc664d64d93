import { printResponse } from '../../shared/billing/print-invoice.ts';
import { InvoiceParams } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { string } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/invoices/{invoiceId}/print',
  permission: 'readInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  response: string({ maxLength: 500_000 }),
  mediaType: 'text/html; charset=utf-8',
  summary: 'Read an invoice as a page for printing',
  description:
    'Returns an HTML page in English that needs no other resources. A browser prints it on A4 or Letter.',
  read: (input) => shownInvoice(input, invoices.get(input.account, input.params.invoiceId)),
  decide: ({ accountRecord }, invoice) => ({ httpResponse: printResponse(invoice, accountRecord) }),
});
