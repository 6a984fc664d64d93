import { integer, object, oneOf, optional, string } from '../schema.ts';
import { area, event, eventGroup, reading, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { because, did, noticeOf } from './text.ts';

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

/** The event kinds are declared in the group of billing. */
export const invoiceResource = resource({
  name: 'invoice',
  readers: 'own',
  portal: 'record',
  audited: true,
  searched: true,
  children: [],
  exported: true,
  items: {
    'invoice-summary': 'derived',
    'invoice-number': 'derived',
    'invoice-numbers': 'derived',
    'ledger-entry': { as: 'ledger_entry' },
    'ledger-month': 'derived',
  },
  unlogged: {
    INVOICENUMBERS: 'without an event',
    LEDGER: 'without an event',
  },
  reads: [
    reading(
      'invoice by its number',
      'INVOICENUMBER#INV-000123',
      'INVOICENUMBER',
      'shared/billing/numbers.ts',
    ),
    reading('last invoice number', 'INVOICENUMBERS', 'LAST', 'shared/billing/numbers.ts'),
    reading(
      'entries and monthly sums of a customer',
      'LEDGER#customerType#customerId',
      'ENTRY#id; MONTH#currency#month',
      'shared/billing/ledger.ts',
    ),
  ],
  reference: {
    place: 18,
    name: 'Billing',
    description:
      'Invoices to merchants, their payments and refunds, statements and reports. No card numbers are stored.',
    segments: ['invoices', 'billing', 'received-invoices'],
  },
  events: {},
});

/** Notifications of the payment provider that fit no invoice. Their changes emit `no_event_name`. */
export const unmatchedPaymentResource = resource({
  name: 'unmatched_payment',
  readers: { of: ['invoice'] },
  portal: 'list',
  audited: false,
  children: [],
  exported: true,
  unlogged: { UNMATCHEDPAYMENT: 'without an event' },
  reference: null,
  events: {},
});

/** Bank accounts with the style of their files. Their changes emit `no_event_name`. */
export const bankAccountResource = resource({
  name: 'bank_account',
  readers: { of: ['invoice'] },
  portal: 'list',
  audited: false,
  children: [],
  exported: true,
  unlogged: { BANKACCOUNT: 'without an event' },
  reference: null,
  events: {},
});

export const paymentProviders = area({
  items: {
    'payment-provider': { as: 'payment_provider', without: ['secrets'] },
    'provider-message': 'temporary',
  },
  unlogged: { PAYMENTPROVIDER: 'without an event', PROVIDERMESSAGE: 'without an event' },
  reads: [
    reading('payment provider', 'PAYMENTPROVIDER', 'PROVIDER', 'shared/billing/provider/store.ts'),
    reading(
      'notification of the payment provider, for seven days',
      'PROVIDERMESSAGE#hash',
      'MESSAGE',
      'shared/billing/provider/store.ts',
    ),
  ],
  reference: null,
});
