import {
  boolean,
  credential,
  date,
  dateTime,
  integer,
  multilineText,
  nameText,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
  unsafe,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { largestNet } from '../amounts.ts';
import { method, reference } from '../schema.ts';

const name = nameText({ examples: ['Northwind Payments'] });
const active = boolean({ description: 'If false, notifications are rejected.' });
const previousSecretUntil = optional(
  dateTime({ readOnly: true, description: 'Until this time, the previous secret is also valid.' }),
);

/** The payment provider that sends notifications about payments to an account. */
export const PaymentProvider = object({ ...recordFields, name, active, previousSecretUntil });
export type PaymentProvider = Static<typeof PaymentProvider>;

export const PaymentProviderInput = object({ name, active });
export type PaymentProviderInput = Static<typeof PaymentProviderInput>;

const secret = credential({
  description:
    'Shown only once. The provider signs its notifications with it. The base64 part after `whsec_` is the key.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQm2xV9bN4kE='],
});

/** The response of PUT, which contains the secret if the request created the provider. */
export const SavedPaymentProvider = object({ ...PaymentProvider.properties, secret: optional(secret) });
export const RotatedProviderSecret = object({ secret, previousSecretUntil });

/** The fields of notifications. */
const noticeFields = {
  invoiceNumber: string({ maxLength: 32, examples: ['INV-000042'] }),
  amount: integer({
    minimum: 1,
    maximum: largestNet,
    description: 'In the smallest unit of the currency.',
    examples: [27_063],
  }),
  currency: string({ maxLength: 3, examples: ['USD'] }),
  reference,
  method,
  paidOn: date(),
  reason: multilineText({ maxLength: 500, examples: ['card_declined'] }),
};
const data = partial(noticeFields);
export type NoticeData = Static<typeof data>;

/** The types of notifications that change invoices. */
export const noticeTypes = [
  'payment.received',
  'payment.failed',
  'payment.refunded',
  'payment.returned',
] as const;
export type NoticeType = (typeof noticeTypes)[number];

/** A notification of the provider. Unknown fields of `data` are ignored. */
export const ProviderNotice = object({
  type: string({ minLength: 1, maxLength: 100, examples: ['payment.received'] }),
  timestamp: dateTime({ description: 'When the event occurred.' }),
  data: unsafe<NoticeData>({
    ...data,
    additionalProperties: true,
    description: 'The payment. Unknown fields are ignored.',
    examples: [
      { invoiceNumber: 'INV-000042', amount: 27_063, currency: 'USD', reference: 'pi_81723', method: 'card' },
    ],
  }),
});
export type ProviderNotice = Static<typeof ProviderNotice>;

export const ProviderNoticeParams = object({ accountId: string({ maxLength: 64, examples: ['acme'] }) });

/** Why a notification or a bank transaction was not applied to an invoice. */
export const unmatchedReasons = [
  'incomplete',
  'unknown_invoice',
  'several_invoices',
  'other_currency',
  'invoice_not_open',
  'invoice_full',
  'payment_exceeds_due',
  'refund_exceeds_received',
  'reference_reused',
] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];

export const ProviderNoticeResult = object({
  result: oneOf(['applied', 'duplicate', 'unmatched', 'ignored'], {
    description:
      '`duplicate`: the id was accepted in the last seven days, or the payment is known. `ignored`: the type is unknown.',
  }),
  reason: optional(oneOf(unmatchedReasons)),
});
export type ProviderNoticeResult = Static<typeof ProviderNoticeResult>;

const { reason: _, ...storedFields } = noticeFields;
const stored = partial(storedFields);

/** A notification that could not be applied. */
export const UnmatchedPayment = object({
  ...recordFields,
  messageId: string({ description: 'The webhook-id of the notification.', examples: ['evt_17'] }),
  notice: oneOf(noticeTypes),
  reason: oneOf(unmatchedReasons),
  occurredAt: dateTime(),
  ...stored.properties,
  failure: optional(noticeFields.reason),
});
export type UnmatchedPayment = Static<typeof UnmatchedPayment>;

export const UnmatchedParams = object({ unmatchedId: recordId() });
export const UnmatchedAssignment = object({
  invoiceId: recordId({ description: 'The invoice of the payment.' }),
});
