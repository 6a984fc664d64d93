import { AuditEntry } from '../integrity/audit/schema.ts';
import {
  array,
  boolean,
  clearable,
  date,
  dateTime,
  decimal,
  integer,
  multilineText,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../schema.ts';
import { recordFields } from '../table/record-fields.ts';
import { largestNet, largestTaxRate } from './amounts.ts';
import { currencyCodes } from './currencies.ts';

export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const customerTypes = ['merchant', 'account'] as const;

/** The most lines, and the most payments, refunds or credits of an invoice. All of them are in the invoice's item. */
const mostLines = 100;
export const mostEntries = 100;

const minorUnits = 'In the smallest unit of the currency, such as cents.';
const money = (description: string, example = 12_500) =>
  integer({ readOnly: true, description: `${description} ${minorUnits}`, examples: [example] });
/** An amount in a report. */
export const reportedAmount = (description: string, example = 0) =>
  integer({ description: `${description} In the smallest unit of the currency.`, examples: [example] });
const positive = integer({ minimum: 1, maximum: largestNet, description: minorUnits, examples: [12_500] });
const reason = multilineText({ minLength: 1, maxLength: 500, examples: ['The terminal was returned.'] });

export const currency = oneOf(currencyCodes, { description: 'ISO 4217 code.', examples: ['USD'] });
export const customerType = oneOf(customerTypes, {
  description: '`account`: an account whose parent is this account.',
});
export const customerId = string({
  minLength: 1,
  maxLength: 64,
  description: 'The id of the merchant or account.',
  examples: ['214563398120449'],
});
export const reference = string({
  minLength: 1,
  maxLength: 200,
  description:
    'The sender’s own id of the payment. A repeated request with the same reference changes nothing.',
  examples: ['wire-20260301-17'],
});
export const method = oneOf(['bank_transfer', 'card', 'direct_debit', 'check', 'cash', 'other']);

const termFields = {
  description: string({ minLength: 1, maxLength: 200, examples: ['Card terminal'] }),
  quantity: integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Whole. If the line has an exact quantity, it is rounded up here.',
    examples: [2],
  }),
  exactQuantity: optional(
    decimal({
      places: 4,
      minimum: 0.0001,
      maximum: 1_000_000,
      description: 'The quantity with up to four decimals. Responses contain it only if it has decimals.',
      examples: [2],
    }),
  ),
  discount: optional(
    boolean({
      description: 'True if the unit amount is subtracted. Then `net`, `tax` and `total` are negative.',
      examples: [false],
    }),
  ),
  taxRate: optional(
    integer({
      minimum: 0,
      maximum: largestTaxRate,
      description:
        'In basis points: 825 means 8.25 %. Default: 0. If the line has an exact tax rate, it is rounded up here.',
      examples: [825],
    }),
  ),
  exactTaxRate: optional(
    decimal({
      places: 1,
      minimum: 0,
      maximum: largestTaxRate,
      description:
        'In basis points with up to one decimal: 887.5 means 8.875 %. Responses contain it only if it has a decimal.',
      examples: [825],
    }),
  ),
};

const InvoiceLine = object({
  ...termFields,
  unitAmount: integer({ minimum: 0, maximum: largestNet, description: minorUnits, examples: [12_500] }),
  net: money('Quantity times unit amount. Half of the smallest unit is rounded away from zero.', 25_000),
  tax: money('The tax on `net`. Half of the smallest unit is rounded away from zero.', 2063),
  total: money('The sum of `net` and `tax`.', 27_063),
});

const computed = (example: number) =>
  optional(
    integer({
      description: 'Computed by the service. Must be omitted or have the computed value.',
      examples: [example],
    }),
  );
/** A line in a request. A client may send back a line as GET returns it. */
const LineInput = object({
  ...termFields,
  quantity: optional(termFields.quantity),
  unitAmount: integer({
    minimum: -largestNet,
    maximum: largestNet,
    description: `${minorUnits} A negative amount is the same as a positive amount with \`discount\`.`,
    examples: [12_500],
  }),
  net: computed(25_000),
  tax: computed(2_063),
  total: computed(27_063),
});

const entryFields = {
  id: recordId(),
  amount: positive,
  reference,
  amountDue: money('The unpaid amount after this entry.', 0),
  createdAt: dateTime(),
  createdBy: string({ examples: ['grace@example.com'] }),
};

export const InvoicePayment = object({
  ...entryFields,
  result: oneOf(['received', 'failed']),
  method,
  paidOn: optional(date({ description: 'The day on which the payment arrived.' })),
  reason: optional(reason),
});
export type InvoicePayment = Static<typeof InvoicePayment>;

export const InvoiceRefund = object({
  ...entryFields,
  reopens: boolean({ description: 'If true, the refunded amount is to be paid again.' }),
  reason: optional(reason),
});
export type InvoiceRefund = Static<typeof InvoiceRefund>;

const { reference: _, ...creditFields } = entryFields;
export const InvoiceCredit = object({ ...creditFields, reason });
export type InvoiceCredit = Static<typeof InvoiceCredit>;

const { id, accountId, version, ...stamps } = recordFields;

/** The fields of an invoice in lists. */
const shownFields = {
  id,
  accountId,
  version,
  status: oneOf(invoiceStatuses, { readOnly: true }),
  number: optional(
    string({
      readOnly: true,
      description: 'From the account’s own sequence, without gaps. Set when the invoice is opened.',
      examples: ['INV-000042'],
    }),
  ),
  customerType,
  customerId,
  customerName: string({ readOnly: true, examples: ['Harbor Street Coffee'] }),
  currency,
  net: money('The sum of the lines without tax.', 25_000),
  tax: money('The sum of the lines’ taxes.', 2063),
  total: money('The sum of `net` and `tax`.', 27_063),
  credited: money('The sum of the credits, including those of refunds.', 0),
  received: money('The sum of the received payments.', 27_063),
  refunded: money('The sum of the refunds.', 0),
  writtenOff: money('The amount that was given up when the invoice became uncollectible.', 0),
  amountDue: money('The unpaid amount. 0 for drafts.', 0),
  dueDate: optional(date()),
  issuedOn: optional(
    date({
      readOnly: true,
      description: 'The printed date: the day of the opening in the account’s time zone.',
    }),
  ),
  openedAt: optional(dateTime({ readOnly: true })),
  ...stamps,
};

/** An invoice in lists. */
export const InvoiceSummary = object(shownFields);
export type InvoiceSummary = Static<typeof InvoiceSummary>;

const memo = multilineText({
  maxLength: 2000,
  description: 'Printed on the invoice.',
  examples: ['Thank you.'],
});

export const Invoice = object({
  ...shownFields,
  customerAddress: optional(
    array(string({ maxLength: 200, examples: ['12 Harbor Street'] }), { readOnly: true }),
  ),
  memo: optional(memo),
  lines: array(InvoiceLine),
  payments: array(InvoicePayment, { readOnly: true }),
  refunds: array(InvoiceRefund, { readOnly: true }),
  credits: array(InvoiceCredit, { readOnly: true }),
});
/** An invoice, in responses and as stored. */
export type Invoice = Static<typeof Invoice>;

/** An invoice with its newest 100 audit entries, newest first. */
export const InvoiceWithAudit = object({
  ...Invoice.properties,
  auditLog: array(AuditEntry, { readOnly: true }),
});
export type InvoiceWithAudit = Static<typeof InvoiceWithAudit>;

const inputFields = {
  customerType,
  customerId,
  currency,
  dueDate: date({ description: 'If omitted, 30 days after the day on which the invoice is opened.' }),
  memo,
  lines: array(LineInput, { minItems: 1, maxItems: mostLines }),
};
const { dueDate, memo: ownMemo, ...requiredFields } = inputFields;

export const InvoiceInput = object({
  ...requiredFields,
  ...partial({ dueDate, memo: ownMemo }).properties,
});
export type InvoiceInput = Static<typeof InvoiceInput>;

export const InvoicePatch = object({
  ...partial(requiredFields).properties,
  ...partial(clearable({ dueDate, memo: ownMemo })).properties,
});
export type InvoicePatch = Static<typeof InvoicePatch>;

export const InvoiceParams = object({ invoiceId: recordId() });

export const PaymentInput = object({
  result: optional(oneOf(['received', 'failed'], { default: 'received' })),
  amount: positive,
  method,
  reference,
  paidOn: optional(date()),
  reason: optional(reason),
});
export type PaymentInput = Static<typeof PaymentInput>;

export const RefundInput = object({
  amount: positive,
  reference,
  reason: optional(reason),
  reopens: optional(
    boolean({
      default: false,
      description:
        'False: the refunded amount is also credited, so that it is not to be paid again. True, for returned payments: the amount is to be paid again.',
    }),
  ),
});
export type RefundInput = Static<typeof RefundInput>;

export const CreditInput = object({ amount: positive, reason });
export type CreditInput = Static<typeof CreditInput>;
