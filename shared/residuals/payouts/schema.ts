import {
  array,
  date,
  dateTime,
  integer,
  multilineText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  sensitive,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';
import { residualMonth } from '../amounts/schema.ts';
import { accountNumberLast4, bankFields, hiddenAccountNumber } from '../payout-accounts/schema.ts';

/** The most statements of a payout. They change in one transaction, which has at most 100 items. */
export const mostPayments = 80;

/** Returns the sentence about statements that a payout could not take. */
export const leftMessage = (statements: number): string =>
  `A payout pays at most ${mostPayments} statements. ${statements} more can be paid: create another payout for the month.`;

const minor = (description: string, example: number) =>
  integer({ description: `${description} In the smallest unit of the currency.`, examples: [example] });
const returnCode = string({
  maxLength: 3,
  pattern: '^R[0-9]{2}$',
  description: 'The reason code of Nacha.',
  examples: ['R01'],
});
const note = (description: string) =>
  multilineText({ maxLength: 500, description, examples: ['Account closed'] });
const format = oneOf(['nacha', 'csv']);

export const PayoutParams = object({ id: recordId() });

export const PayoutInput = object({
  format,
  month: optional(
    residualMonth(
      'Pays the approved and returned statements of this month. Send either month or statementIds.',
    ),
  ),
  statementIds: optional(
    array(recordId(), {
      minItems: 1,
      maxItems: mostPayments,
      uniqueItems: true,
      examples: [[214563398120449]],
    }),
  ),
  effectiveDate: optional(
    date({
      description:
        'The banking day on which the recipients should have the money, at most 60 days ahead. Default: the next banking day.',
      examples: ['2026-12-01'],
    }),
  ),
});
export type PayoutInput = Static<typeof PayoutInput>;

const paymentResults = ['open', 'paid', 'returned'] as const;

/** A payment of a batch: one statement. */
export const Payment = object({
  n: integer({ minimum: 1, description: 'The position in the file, from 1.', examples: [1] }),
  statementId: recordId(),
  beneficiary: Beneficiary,
  month: residualMonth('The month of the statement.'),
  amount: minor('What the statement pays.', 12_340),
  ...bankFields,
  accountNumber: hiddenAccountNumber,
  accountNumberLast4,
  trace: optional(
    string({
      description: 'The trace number in the NACHA file. A return names it.',
      examples: ['121042880000041'],
    }),
  ),
  result: oneOf(paymentResults, {
    description: '`open`: no return is known, and nobody recorded a result.',
  }),
  code: optional(returnCode),
  note: optional(note('The explanation of the bank, or of the person who recorded the result.')),
  changes: optional(
    array(string({ examples: ['C05'] }), { description: 'The codes of the notifications of change.' }),
  ),
});
export type Payment = Static<typeof Payment>;

const skipReasons = [
  'unknown',
  'not_approved',
  'in_a_payout',
  'withdrawn',
  'nothing_to_pay',
  'no_bank_account',
  'other_currency',
  'amount_too_large',
  'too_many',
] as const;
export type SkipReason = (typeof skipReasons)[number];

const SkippedStatement = object({
  statementId: recordId(),
  reason: oneOf(skipReasons, {
    description:
      '`withdrawn`: the run of the statement was reversed. `nothing_to_pay`: the statement pays 0. `no_bank_account`: the beneficiary has no payout account. `too_many`: another payout must pay it.',
  }),
});
export type SkippedStatement = Static<typeof SkippedStatement>;

const summaryFields = {
  ...recordFields,
  format,
  state: oneOf(['created', 'downloaded', 'cancelled']),
  effectiveDate: date({ description: 'The banking day on which the recipients should have the money.' }),
  currency: string({ examples: ['USD'] }),
  payments: integer({ description: 'The number of payments.', examples: [4] }),
  total: minor('The sum of all payments.', 49_360),
  returned: integer({ description: 'The number of returned payments.', examples: [0] }),
  returnedTotal: minor('The sum of the returned payments.', 0),
  sha256: string({
    description: 'The hash of the file (SHA-256, hexadecimal). The file never changes.',
    examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  }),
  downloadedAt: optional(dateTime({ description: 'When the file was shown first.' })),
  cancelledAt: optional(dateTime()),
};

/** A payout in lists. */
export const PayoutSummary = object(summaryFields);
export type PayoutSummary = Static<typeof PayoutSummary>;

export const Payout = object({ ...summaryFields, entries: array(Payment) });
export type Payout = Static<typeof Payout>;

export const CreatedPayout = object({
  ...Payout.properties,
  skipped: array(SkippedStatement, {
    description: 'The statements of the month that are not paid, with the reason of each.',
  }),
  left: optional(
    object(
      {
        statements: integer({ minimum: 1, examples: [120] }),
        message: string({ examples: [leftMessage(120)] }),
      },
      { description: 'Present if more statements can be paid than a payout can have.' },
    ),
  ),
});
export type CreatedPayout = Static<typeof CreatedPayout>;

export const PayoutFile = object({
  fileName: string({ examples: ['payout-214563398120449.ach'] }),
  mediaType: string({ examples: ['text/plain; charset=us-ascii'] }),
  sha256: PayoutSummary.properties.sha256,
  fileContent: sensitive({
    maxLength: 200_000,
    description:
      'The file, with the account numbers. The repetition of a request with its Idempotency-Key shows REDACTED.',
    examples: ['101 121042882123456789026112516…'],
  }),
});

export const PaymentParams = object({
  id: recordId(),
  n: integer({ minimum: 1, maximum: mostPayments, description: 'The position in the file.', examples: [1] }),
});

export const PaymentResultInput = object({
  result: oneOf(['paid', 'returned']),
  code: optional(returnCode),
  note: optional(note('The explanation.')),
});
export type PaymentResultInput = Static<typeof PaymentResultInput>;

export const ReturnFileInput = object({
  fileContent: multilineText({
    'x-redacts': 'sensitive',
    minLength: 1,
    maxLength: 200_000,
    description: 'The content of the NACHA file with returns and notifications of change.',
    examples: ['101 121042882 0210000212612020815A094101…'],
  }),
});

const returnOutcomes = [
  'returned',
  'account_changed',
  'repeated',
  'unknown_entry',
  'not_applied',
  'failed',
] as const;

const ReturnedRecord = object({
  line: integer({ description: 'The line of the file, from 1.', examples: [4] }),
  kind: oneOf(['return', 'change', 'other']),
  code: optional(string({ examples: ['R01'] })),
  trace: string({ examples: ['121042880000041'] }),
  amount: integer({ description: 'In cents. 0 for a notification of change.', examples: [12_345] }),
  outcome: oneOf(returnOutcomes, {
    description:
      '`returned`: the statement can be paid again, or its amount was added to the balance, because its run was reversed. `repeated`: nothing was to be changed, because it was recorded before. `not_applied`: a person must decide, for the given reason. `failed`: send the file again.',
  }),
  reason: optional(string({ examples: ['The amount differs from the payment.'] })),
  payoutId: optional(recordId()),
  n: optional(integer({ description: 'The position in the file of the payout.', examples: [1] })),
  statementId: optional(recordId()),
});
export type ReturnedRecord = Static<typeof ReturnedRecord>;

export const ReturnFileResult = object({
  returned: integer({ examples: [1] }),
  changed: integer({ description: 'Notifications that changed a payout account.', examples: [1] }),
  repeated: integer({ examples: [0] }),
  unresolved: integer({ description: 'Records with other outcomes. A person must decide.', examples: [0] }),
  records: array(ReturnedRecord, { description: 'One for each entry of the file, in its order.' }),
});
