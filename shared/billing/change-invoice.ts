import type { Account } from '../accounts/schema.ts';
import { ApiError } from '../errors.ts';
import { mintId } from '../id/mint.ts';
import { dayIn, daysAfter } from '../instant.ts';
import { refuseCardNumbers } from '../security/card-numbers.ts';
import { type Authored, revise } from '../table/revise.ts';
import { amountDueOf, type Balance } from './amounts.ts';
import type { KnownCustomer } from './customers.ts';
import type { EntryDraft } from './ledger.ts';
import {
  type CreditInput,
  type Invoice,
  type InvoiceCredit,
  type InvoicePayment,
  type InvoiceRefund,
  type InvoiceStatus,
  mostEntries,
  type PaymentInput,
  type RefundInput,
} from './schema.ts';

/** A changed invoice, with the entries of the customer’s ledger. */
export interface InvoiceChange {
  after: Invoice;
  entries: readonly EntryDraft[];
}

/** How many days after the opening an invoice without a due date is due. */
const usualDays = 30;

/** Throws `invoice_not_draft` if the invoice was opened. */
export function requireDraft({ status }: Invoice): void {
  if (status !== 'draft') throw new ApiError('invoice_not_draft');
}

function requireStatus({ status }: Invoice, ...allowed: readonly InvoiceStatus[]): void {
  if (allowed.includes(status)) return;
  throw new ApiError('invoice_not_open', {
    message: `The invoice is ${status}. This request requires the status ${allowed.join(' or ')}.`,
  });
}

/** Opens a draft with its number, on the present day in the account’s time zone. Takes the current name and address of the customer. Nothing to pay means paid. */
export function openInvoice(
  before: Invoice,
  number: string,
  customer: KnownCustomer,
  request: Authored & { accountRecord: Pick<Account, 'timezone'> },
): InvoiceChange {
  requireDraft(before);
  const issuedOn = dayIn(request.accountRecord.timezone, request.now);
  const { total, dueDate = daysAfter(issuedOn, usualDays) } = before;
  const after = revise(
    before,
    {
      status: total === 0 ? 'paid' : 'open',
      ...{ number, issuedOn, dueDate, amountDue: total },
      openedAt: request.now.toISOString(),
      customerName: customer.customerName,
      customerAddress: customer.customerAddress ?? null,
    },
    request,
  );
  return { after, entries: [{ kind: 'invoice', amount: total }] };
}

/** Voids an open invoice without payments. Throws `invoice_has_payments` if a payment was not refunded. */
export function voidInvoice(before: Invoice, request: Authored): InvoiceChange {
  requireStatus(before, 'open');
  if (before.received > before.refunded) throw new ApiError('invoice_has_payments');
  const after = revise(before, { status: 'void', amountDue: 0 }, request);
  return { after, entries: [{ kind: 'void', amount: -before.amountDue }] };
}

/** Gives up the amount due. A later payment is still accepted. */
export function writeOffInvoice(before: Invoice, request: Authored): InvoiceChange {
  requireStatus(before, 'open');
  const { amountDue } = before;
  const after = revise(before, { status: 'uncollectible', writtenOff: amountDue, amountDue: 0 }, request);
  return { after, entries: [{ kind: 'write_off', amount: -amountDue }] };
}

type Amounts = Partial<Omit<Balance, 'total'>>;

/** Returns the amounts after a change, with the amount due and the status that follow from them. */
function rebalanced(before: Invoice, changed: Amounts) {
  const balance = { ...before, ...changed };
  const amountDue = amountDueOf(balance);
  const status: InvoiceStatus = balance.writtenOff > 0 ? 'uncollectible' : amountDue === 0 ? 'paid' : 'open';
  return { ...changed, amountDue, status };
}

const newEntry = (request: Authored) => ({
  id: mintId(request.now),
  createdAt: request.now.toISOString(),
  createdBy: request.principal.actor.user,
});

function requireRoom(entries: readonly unknown[]): void {
  if (entries.length >= mostEntries) throw new ApiError('invoice_full');
}

/** Reduces the amount due of an open invoice. */
export function creditInvoice(
  before: Invoice,
  { amount, reason }: CreditInput,
  request: Authored,
): InvoiceChange & { credit: InvoiceCredit } {
  refuseCardNumbers({ reason });
  requireStatus(before, 'open');
  requireRoom(before.credits);
  if (amount > before.amountDue) throw new ApiError('credit_exceeds_due');
  const balance = rebalanced(before, { credited: before.credited + amount });
  const credit = { ...newEntry(request), amount, reason, amountDue: balance.amountDue };
  const after = revise(before, { ...balance, credits: [...before.credits, credit] }, request);
  return { after, credit, entries: [{ kind: 'credit', amount: -amount }] };
}

/** The first entry with a reference, which a repeated request returns. `change` is missing then. */
export interface RecordedEntry<E> {
  entry: E;
  change?: InvoiceChange;
}

/**
 * Records a received or failed payment. A reference identifies the outcome of an attempt: a repeated success and a failure
 * of the same amount return the first payment, and neither a failure nor a success blocks the other. Throws
 * `reference_reused` if the reference was received with another amount, and `payment_exceeds_due` for an overpayment.
 */
export function recordPayment(
  before: Invoice,
  { result = 'received', amount, method, reference, paidOn, reason }: PaymentInput,
  request: Authored,
): RecordedEntry<InvoicePayment> {
  const sameReference = before.payments.filter((payment) => payment.reference === reference);
  const known = sameReference.find(
    (payment) => payment.result === result && (result === 'received' || payment.amount === amount),
  );
  if (known) {
    if (known.amount !== amount) throw new ApiError('reference_reused');
    return { entry: known };
  }
  // The notification of a failed attempt can arrive after the success, which may have paid the invoice.
  if (sameReference.length === 0 || result === 'received') requireStatus(before, 'open', 'uncollectible');
  requireRoom(before.payments.filter((payment) => payment.result === result));
  const { writtenOff } = before;
  const payable = before.amountDue + writtenOff;
  if (result === 'received' && amount > payable) throw new ApiError('payment_exceeds_due');
  // A payment of an uncollectible invoice first takes back what was written off.
  const recovered = Math.min(amount, writtenOff);
  const balance =
    result === 'received'
      ? rebalanced(before, { received: before.received + amount, writtenOff: writtenOff - recovered })
      : { amountDue: before.amountDue };
  const entry: InvoicePayment = {
    ...newEntry(request),
    ...{ result, amount, method, reference, amountDue: balance.amountDue },
    ...(paidOn !== undefined && { paidOn }),
    ...(reason !== undefined && { reason }),
  };
  const after = revise(before, { ...balance, payments: [...before.payments, entry] }, request);
  const entries: EntryDraft[] =
    result === 'received'
      ? [
          { kind: 'write_off_reversal', amount: recovered },
          { kind: 'payment', amount: -amount, reference },
        ]
      : [];
  return { entry, change: { after, entries } };
}

/**
 * Records a refund of received payments. Repeated references are treated as in `recordPayment`. Throws
 * `refund_exceeds_received` if less was received.
 */
export function recordRefund(
  before: Invoice,
  { amount, reference, reason, reopens = false }: RefundInput,
  request: Authored,
): RecordedEntry<InvoiceRefund> {
  const known = before.refunds.find((refund) => refund.reference === reference);
  if (known) {
    if (known.amount !== amount || known.reopens !== reopens) throw new ApiError('reference_reused');
    return { entry: known };
  }
  requireStatus(before, 'open', 'paid', 'uncollectible');
  requireRoom(before.refunds);
  if (amount > before.received - before.refunded) throw new ApiError('refund_exceeds_received');
  // The amount of an uncollectible invoice that is to be paid again is given up, too.
  const givesUp = reopens && before.status === 'uncollectible';
  const balance = rebalanced(before, {
    refunded: before.refunded + amount,
    ...(!reopens && { credited: before.credited + amount }),
    ...(givesUp && { writtenOff: before.writtenOff + amount }),
  });
  const entry: InvoiceRefund = {
    ...newEntry(request),
    ...{ amount, reference, reopens, amountDue: balance.amountDue },
    ...(reason !== undefined && { reason }),
  };
  const after = revise(before, { ...balance, refunds: [...before.refunds, entry] }, request);
  const entries: EntryDraft[] = [
    { kind: 'refund', amount, reference },
    ...(reopens ? [] : [{ kind: 'credit' as const, amount: -amount, reference }]),
    ...(givesUp ? [{ kind: 'write_off' as const, amount: -amount }] : []),
  ];
  return { entry, change: { after, entries } };
}
