import { InvoiceWithAudit } from '../../shared/billing/schema.ts';
import { invoicesWithAudit } from '../../shared/billing/store.ts';
import { readRecord } from '../../shared/endpoints/record-endpoints.ts';

export default readRecord(invoicesWithAudit, {
  path: '/invoices/{invoiceId}',
  permission: 'readInvoices',
  response: InvoiceWithAudit,
  summary: 'Read an invoice with its payments and its audit log',
});
