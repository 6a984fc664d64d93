import { requireDraft } from '../../shared/billing/change-invoice.ts';
import { requireCustomer } from '../../shared/billing/customers.ts';
import { invoiceHappened } from '../../shared/billing/events.ts';
import { draftRevision } from '../../shared/billing/new-invoice.ts';
import { Invoice, InvoiceParams, InvoicePatch, InvoiceWithAudit } from '../../shared/billing/schema.ts';
import { shownInvoice } from '../../shared/billing/shown-invoice.ts';
import { invoices, invoicesWithAudit } from '../../shared/billing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/invoices/{invoiceId}',
  permission: 'writeInvoices',
  reach: 'merchant',
  params: InvoiceParams,
  body: InvoicePatch,
  response: Invoice,
  record: InvoiceWithAudit,
  errors: ['customer_unknown', 'invoice_not_draft'],
  happenings: ['invoice_updated'],
  summary: 'Change the given fields of a draft',
  description:
    'Sent lines replace all lines. Null clears an optional field. An opened invoice cannot be changed.',
  read: async (input) => {
    const { account, params, body, requireReach } = input;
    const invoice = await shownInvoice(input, invoices.get(account, params.invoiceId));
    const { customerType = invoice.customerType, customerId = invoice.customerId } = body;
    const isSame = customerType === invoice.customerType && customerId === invoice.customerId;
    const customer = isSame
      ? undefined
      : await requireCustomer(account, { customerType, customerId }, requireReach);
    return { before: invoice, customer };
  },
  decide: async (request, { before, customer }) => {
    const { account, body, principal } = request;
    const mayRead = principal.permissions.has('readInvoices');
    await request.checkReadOnly(() => (mayRead ? invoicesWithAudit.get(account, before.id) : before));
    requireDraft(before);
    const after = revise(before, draftRevision(body, customer), request);
    return {
      response: after,
      writes: invoices.replace(before, after),
      events: before === after ? [] : invoiceHappened('invoice_updated', after, {}),
    };
  },
});
