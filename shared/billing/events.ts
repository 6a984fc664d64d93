import { created } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import type { Happening, HappeningData } from '../resources/registry.ts';
import type { Invoice, InvoicePayment, InvoiceRefund } from './schema.ts';
import { invoices } from './store.ts';

/** Returns the event of a new draft, without its lines, which can be large. */
export function invoiceCreated({ lines, payments, refunds, credits, ...invoice }: Invoice): EventDraft[] {
  return created(invoices, 'invoice_created', invoice);
}

type InvoiceHappening = Extract<Happening, `invoice_${string}`>;
type DetailOf<H extends InvoiceHappening> = HappeningData[H]['detail'];
type InvoiceState = DetailOf<'invoice_opened'>;

const stateOf = (invoice: Invoice): InvoiceState => {
  const { number, status, customerType, customerId, currency, total, amountDue, dueDate } = invoice;
  return { number, status, customerType, customerId, currency, total, amountDue, dueDate };
};

/**
 * Returns the event of a change that has no event kind of its own. The audit log of the invoice contains it. `further` are
 * the fields of the detail besides the state of the invoice.
 */
export const invoiceHappened = <H extends InvoiceHappening>(
  happening: H,
  invoice: Invoice,
  further: Omit<DetailOf<H>, keyof InvoiceState>,
): EventDraft[] => {
  const detail = { ...stateOf(invoice), ...further } as DetailOf<H>;
  return unnamedChange(invoice.accountId, happening, invoice, detail, { type: 'invoice', id: invoice.id });
};

export function paymentRecorded(invoice: Invoice, payment: InvoicePayment): EventDraft[] {
  const subject = subjectOf(invoices, invoice);
  const { currency } = invoice;
  const { amount, method, reference, amountDue, reason } = payment;
  return payment.result === 'received'
    ? [{ kind: 'payment_received', subject, data: { amount, currency, method, reference, amountDue } }]
    : [{ kind: 'payment_failed', subject, data: { amount, currency, method, reference, reason } }];
}

export function refundIssued(invoice: Invoice, refund: InvoiceRefund): EventDraft[] {
  const { amount, reference, amountDue, reason } = refund;
  const data = { amount, currency: invoice.currency, reference, amountDue, reason };
  return [{ kind: 'refund_issued', subject: subjectOf(invoices, invoice), data }];
}
