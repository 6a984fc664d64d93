import { getReceived, ReceivedInvoice, showReceived } from '../../shared/billing/received-invoices.ts';
import { InvoiceParams } from '../../shared/billing/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'GET',
  path: '/received-invoices/{invoiceId}',
  access: 'home',
  administratorOnly: true,
  params: InvoiceParams,
  response: ReceivedInvoice,
  summary: 'Read an invoice that the account received from its parent',
  decide: async ({ accountRecord, params }) => ({
    response: showReceived(await getReceived(accountRecord, params.invoiceId)),
  }),
});
