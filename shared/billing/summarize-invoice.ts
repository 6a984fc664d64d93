import { cutText } from '../table/cut-text.ts';
import type { Invoice, InvoiceSummary } from './schema.ts';

/** Returns the summary for lists, filters and searches, without the lines and the entries. */
export function summarizeInvoice(invoice: Invoice): InvoiceSummary {
  const { lines, payments, refunds, credits, memo, customerAddress, ...summary } = invoice;
  return {
    ...summary,
    customerName: cutText(summary.customerName, 400),
    ...(summary.createdBy && { createdBy: cutText(summary.createdBy, 254) }),
    ...(summary.updatedBy && { updatedBy: cutText(summary.updatedBy, 254) }),
  };
}
