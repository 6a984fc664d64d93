import { boolean, date, integer, object, oneOf, optional, recordId, string } from '../schema.ts';
import { area, event, eventGroup, happening, happeningsOf, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { because, changedText, did, noticeOf, rotatedText } from './text.ts';

const amount = integer({ description: 'In the smallest unit of the currency.', examples: [12_500] });
const currency = string({ examples: ['USD'] });
const reference = string({ examples: ['wire-20260301-17'] });
const method = oneOf(['bank_transfer', 'card', 'direct_debit', 'check', 'cash', 'other']);
const amountDue = integer({ description: 'The unpaid amount after this payment.', examples: [0] });

/** The event kinds of invoices. Other changes of an invoice emit `no_event_name`. */
export const billing = eventGroup('Billing', 'invoice', {
  invoice_created: event(changed, 'An invoice was created.', did('created')),
  payment_received: event(
    object({ amount, currency, method, reference, amountDue }),
    'A payment of an invoice was received.',
    noticeOf('paid', 'A payment for {record} was received: {reference}.'),
  ),
  payment_failed: event(
    object({
      amount,
      currency,
      method,
      reference,
      reason: optional(string({ examples: ['card_declined'] })),
    }),
    'A payment of an invoice failed.',
    noticeOf('not paid', `A payment for {record} failed: {reference}.${because}`, { error: true }),
  ),
  refund_issued: event(
    object({ amount, currency, reference, amountDue, reason: optional(string({ examples: ['Returned'] })) }),
    'A payment of an invoice was refunded.',
    noticeOf('refunded', `{actor} refunded a payment of {record}.${because}`),
  ),
});

/** The values of an invoice after the change. */
const invoiceState = {
  number: optional(string({ description: 'Absent in drafts.', examples: ['INV-000042'] })),
  status: oneOf(['draft', 'open', 'paid', 'void', 'uncollectible']),
  customerType: oneOf(['merchant', 'account']),
  customerId: string({ examples: ['214563398120449'] }),
  currency,
  total: amount,
  amountDue: integer({ description: 'The unpaid amount after the change.', examples: [12_500] }),
  dueDate: optional(date()),
};

const invoiceHappenings = happeningsOf('invoice', {
  invoice_updated: happening('updated', object(invoiceState), 'A draft changed.', changedText, {
    label: 'number',
  }),
  invoice_deleted: happening('deleted', object(invoiceState), 'A draft was deleted.', did('deleted')),
  invoice_opened: happening(
    'updated',
    object(invoiceState),
    'A draft was opened and got its number.',
    did('opened'),
    { label: 'number' },
  ),
  invoice_voided: happening('updated', object(invoiceState), 'An open invoice was voided.', did('voided'), {
    label: 'number',
  }),
  invoice_credited: happening(
    'updated',
    object({ ...invoiceState, amount, reason: string({ examples: ['The terminal was returned.'] }) }),
    'The amount due of an open invoice was reduced by a credit.',
    noticeOf('credited', `{actor} reduced the amount due of {record}.${because}`),
    { label: 'number' },
  ),
  invoice_written_off: happening(
    'updated',
    object({ ...invoiceState, amount }),
    'An open invoice was marked as uncollectible.',
    noticeOf('written off', '{actor} marked {record} as uncollectible.'),
    { label: 'number' },
  ),
});

/** The event kinds are declared in the group of billing. */
export const invoiceResource = resource({
  name: 'invoice',
  readers: 'own',
  portal: 'record',
  audited: true,
  searched: true,
  exported: true,
  items: {
    'invoice-summary': 'derived',
    'invoice-number': 'derived',
    'invoice-numbers': 'derived',
    'ledger-entry': { as: 'ledger_entry' },
    'ledger-month': 'derived',
    'statement-day': 'derived',
  },
  unlogged: {
    STATEMENTDAYS: 'without an event',
    INVOICENUMBERS: 'without an event',
    LEDGER: 'without an event',
  },
  reference: {
    place: 18,
    name: 'Billing',
    description:
      'Invoices to merchants, their payments and refunds, statements and reports. No card numbers are stored.',
    segments: ['invoices', 'billing', 'received-invoices'],
  },
  events: {},
  happenings: invoiceHappenings,
});

const unmatched = {
  notice: oneOf(['payment.received', 'payment.failed', 'payment.refunded', 'payment.returned']),
  reason: string({ description: 'Why no invoice fits.', examples: ['unknown_invoice'] }),
  invoiceNumber: optional(string({ examples: ['INV-000042'] })),
  amount: optional(amount),
  currency: optional(currency),
  reference: optional(reference),
};

/** Notifications of the payment provider that fit no invoice. Their changes emit `no_event_name`. */
export const unmatchedPaymentResource = resource({
  name: 'unmatched_payment',
  readers: { of: ['invoice'] },
  portal: 'list',
  exported: true,
  unlogged: { UNMATCHEDPAYMENT: 'without an event' },
  events: {},
  happenings: happeningsOf('unmatched_payment', {
    unmatched_payment_created: happening(
      'created',
      object(unmatched),
      'A notification of the payment provider fits no invoice.',
      noticeOf('received', 'A notification of the payment provider fits no invoice. Reason: {reason}.'),
      { label: 'reference' },
    ),
    unmatched_payment_assigned: happening(
      'deleted',
      object({ ...unmatched, invoiceId: recordId() }),
      'An unmatched payment was applied to an invoice.',
      noticeOf('assigned', '{actor} applied {record} to the invoice {invoiceId}.'),
      { label: 'reference', link: 'list' },
    ),
    unmatched_payment_deleted: happening(
      'deleted',
      object(unmatched),
      'An unmatched payment was removed from the list.',
      did('removed'),
      { label: 'reference' },
    ),
  }),
});

const bankAccount = object({
  name: string({ examples: ['Checking account'] }),
  bankAccount: string({
    description: 'The id in the path of the bank account.',
    examples: ['DE89370400440532013000'],
  }),
  currency,
});

/** Bank accounts with the style of their files. Their changes emit `no_event_name`. */
export const bankAccountResource = resource({
  name: 'bank_account',
  readers: { of: ['invoice'] },
  portal: 'list',
  exported: true,
  unlogged: { BANKACCOUNT: 'without an event' },
  events: {},
  happenings: happeningsOf('bank_account', {
    bank_account_created: happening('created', bankAccount, 'A bank account was added.', did('added'), {
      label: 'name',
    }),
    bank_account_updated: happening(
      'updated',
      bankAccount,
      'A bank account, or the style of its files, changed.',
      changedText,
      { label: 'name' },
    ),
    bank_account_deleted: happening('deleted', bankAccount, 'A bank account was deleted.', did('deleted'), {
      label: 'name',
    }),
  }),
});

const provider = object({ name: string({ examples: ['Northwind Payments'] }), active: boolean() });
const providerPage = {
  label: 'name',
  link: { path: '/payment-provider', opens: 'payment provider' },
} as const;

export const paymentProviders = area({
  items: {
    'payment-provider': { as: 'payment_provider', without: ['secrets'] },
    'provider-message': 'temporary',
  },
  unlogged: { PAYMENTPROVIDER: 'without an event', PROVIDERMESSAGE: 'without an event' },
  happenings: happeningsOf('payment_provider', {
    payment_provider_created: happening(
      'created',
      provider,
      'The payment provider was created.',
      did('created'),
      providerPage,
    ),
    payment_provider_updated: happening(
      'updated',
      provider,
      'The payment provider changed.',
      changedText,
      providerPage,
    ),
    payment_provider_secret_rotated: happening(
      'updated',
      provider,
      'The secret of the payment provider was rotated.',
      rotatedText,
      providerPage,
    ),
    payment_provider_deleted: happening(
      'deleted',
      provider,
      'The payment provider was deleted.',
      did('deleted'),
      providerPage,
    ),
  }),
});

/** Bank statements that are uploaded and imported in the background. They expire with their results. */
export const statementUploadArea = area({
  items: { 'bank-statement-upload': 'temporary', 'bank-statement-row': 'temporary' },
  unlogged: { BANKSTATEMENT: 'without an event' },
});
