import {
  array,
  date,
  integer,
  multilineText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { bankAccountFields, bankAccountId, fileStyle } from '../bank-accounts/schema.ts';
import { currency } from '../schema.ts';
import { mismatchReasons } from './match-entry.ts';
import { heldReasons, statementFormats, unreadReasons } from './statement.ts';

/** The most transactions of one request. */
export const mostTransactions = 200;

export const BankStatement = object({
  statement: optional(
    multilineText({
      minLength: 1,
      maxLength: 200_000,
      description: `The file of the bank, with at most ${mostTransactions} transactions: CSV, MT940, CAMT.053 (versions 2 to 8), OFX 1 or 2, or BAI2. The content shows the format. A CSV file has a header, which may follow other lines, with a column of dates, and one of amounts or two of debits and credits. The headers of many banks are known. The invoice number is found in any column.`,
      examples: ['date,amount,description\n2026-03-02,270.63,INV-000042 Harbor Street\n'],
    }),
  ),
  csv: optional(
    multilineText({
      minLength: 1,
      maxLength: 65_536,
      description: 'The former name of `statement`. Ignored if `statement` is sent.',
      examples: ['date,amount,description\n2026-03-02,270.63,INV-000042 Harbor Street\n'],
    }),
  ),
  currency: optional(currency),
  bankAccount: optional(
    bankAccountId(
      'The id of the bank account of a CSV file, as in `PUT /billing/bank-accounts/{id}`. What is stored for it is used, except for what this request sends. It need not be stored yet.',
    ),
  ),
  ...fileStyle,
});
export type BankStatement = Static<typeof BankStatement>;

const results = ['matched', 'duplicate', 'unmatched', 'failed'] as const;
const reasons = [
  'not_incoming',
  ...unreadReasons,
  ...heldReasons,
  ...mismatchReasons,
  'invoice_full',
  'busy',
  'out_of_time',
] as const;
export type ImportReason = (typeof reasons)[number];

const minorAmount = (description: string, example: number) =>
  integer({ description: `${description} In the smallest unit of the currency.`, examples: [example] });
const invoiceFields = {
  invoiceId: recordId(),
  invoiceNumber: string({ examples: ['INV-000042'] }),
};

export const ImportedTransaction = object({
  line: integer({
    description: 'The line of the file on which the transaction starts, from 1.',
    examples: [2],
  }),
  result: oneOf(results, {
    description:
      '`duplicate`: an earlier import recorded the payment. `unmatched`: record the payment by hand, or ignore it. `failed`: send the statement again.',
  }),
  reason: optional(
    oneOf(reasons, {
      description:
        '`probable_duplicate`: the invoice has a payment of the same day and amount that another export of the account, or a person, recorded, or an export in another format had the same transactions on this day. `pending`, `reversal` and `correction`: the bank marks the transaction so. A reversal that brings money in is recorded if it names an invoice and has exactly its amount due. `direction_unknown`: the file does not show whether the money came in. `columns_differ`: the row has more cells than the header.',
    }),
  ),
  amount: optional(minorAmount('Negative if the money left the account.', 27_063)),
  amountDue: optional(
    minorAmount('Of the invoice, if the reason is `amount_differs`, or after a payment of a part.', 27_000),
  ),
  paidOn: optional(date({ description: 'The day of the booking.' })),
  invoiceId: optional(invoiceFields.invoiceId),
  invoiceNumber: optional(invoiceFields.invoiceNumber),
  reversedPayment: optional(
    string({
      description:
        'The reference of the recorded payment that the bank reversed. Record a refund with `reopens` by hand.',
      examples: ['bank:ghijklmnop'],
    }),
  ),
  invoices: optional(
    array(object({ ...invoiceFields, amount: minorAmount('The share of the invoice.', 27_063) }), {
      description: 'The invoices of a transaction that pays several.',
    }),
  ),
});
export type ImportedTransaction = Static<typeof ImportedTransaction>;

const count = (description?: string) =>
  integer({ minimum: 0, examples: [1], ...(description !== undefined && { description }) });

export const suggestion = optional(
  object(bankAccountFields, {
    description:
      'How the file was read, if no stored bank account was used. After a person checked it, it can be sent to `PUT /billing/bank-accounts/{id}` as it is.',
  }),
);

export const BankStatementResult = object({
  format: oneOf(statementFormats, { description: 'As recognized by the content of the file.' }),
  matched: count(),
  duplicates: count(),
  unmatched: count(),
  failed: count(),
  skipped: count('The rows without a transaction, such as titles, totals and empty rows.'),
  transactions: array(ImportedTransaction),
  suggestion,
});
export type BankStatementResult = Static<typeof BankStatementResult>;
