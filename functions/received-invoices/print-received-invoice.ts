import { printResponse } from '../../shared/billing/print-invoice.ts';
import { getReceived } from '../../shared/billing/received-invoices.ts';
import { InvoiceParams } from '../../shared/billing/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { string } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/received-invoices/{invoiceId}/print',
  access: 'home',
  administratorOnly: true,
  params: InvoiceParams,
  response: string({ maxLength: 500_000 }),
  mediaType: 'text/html; charset=utf-8',
  summary: 'Read a received invoice as a page for printing',
  description:
    'Returns an HTML page in English that needs no other resources. A browser prints it on A4 or Letter.',
  decide: async ({ accountRecord, params }) => {
    const { invoice, seller } = await getReceived(accountRecord, params.invoiceId);
    return { httpResponse: printResponse(invoice, seller) };
  },
});
