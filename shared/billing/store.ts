import type { Described } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { AuditEntry } from '../integrity/audit/schema.ts';
import { recordStore } from '../table/record-store.ts';
import { secondaryIndexes } from '../table/secondary-indexes.ts';
import { indexedInvoiceFields } from './indexed-fields.ts';
import type { Invoice, InvoiceSummary, InvoiceWithAudit } from './schema.ts';
import { summarizeInvoice } from './summarize-invoice.ts';

const records = recordStore<Invoice, 'invoice', InvoiceSummary>({
  resource: 'invoice',
  summary: summarizeInvoice,
  indexedFields: indexedInvoiceFields,
  indexes: secondaryIndexes<Invoice>({
    state: ({ status }) => [status],
    countedAs: ({ status }) => [{ of: status }],
  }),
});

/** The invoices of an account. Lines, payments, refunds and credits are part of the invoice’s item. */
export const invoices = {
  ...records,

  describe: ({ number, customerName }: Pick<Invoice, 'number' | 'customerName'>): Described => ({
    label: number === undefined ? `Draft for ${customerName}` : `${number} ${customerName}`,
  }),
};

/** Invoices with their audit logs. */
export const invoicesWithAudit = {
  subject: invoices.subject,
  get: (account: AccountId, id: number) => invoices.getWithAudit<AuditEntry>(account, id),
  show: (invoice: InvoiceWithAudit): InvoiceWithAudit => invoice,
};
