import { EventProof } from '../../integrity/event-seals/schema.ts';
import {
  array,
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  sha256,
  string,
  type TObject,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';
import { micros, processorName, residualMonth } from '../amounts/schema.ts';

const minor = (description: string, example = 12_340) =>
  integer({ description: `${description} In the smallest unit of the currency.`, examples: [example] });

const statementStates = ['ready', 'approved', 'paid', 'returned', 'withdrawn'] as const;

/** The parts of a statement that never change after the posting. `sha256` is the hash of the others. */
const documentFields = {
  id: recordFields.id,
  accountId: recordFields.accountId,
  beneficiary: Beneficiary,
  beneficiaryName: string({ examples: ['Grace Hopper'] }),
  month: residualMonth('The month of the files, in the time zone of the account.'),
  runId: recordId({ description: 'The run that was posted or reversed.' }),
  kind: oneOf(['posting', 'reversal'], { description: '`reversal`: the lines take back a posted run.' }),
  currency: string({ description: 'ISO 4217 code.', examples: ['USD'] }),
  postedAt: dateTime(),
  lineCount: integer({ examples: [12] }),
  linesSha256: sha256('The hash of the lines: canonical JSON (RFC 8785), with a line feed after each line'),
  total: minor('The sum of the lines.'),
  balanceBefore: minor(
    'What the previous statement carried forward. Negative: what the beneficiary owed. Positive: a payment that did not arrive, and whose run was reversed.',
    0,
  ),
  withdrawn: minor(
    'Of a reversal: what the reversed statement would have paid. It was not paid, and cannot be paid any more.',
    0,
  ),
  payable: minor('The amount to pay: the total with the balance before and `withdrawn`, at least 0.'),
  balanceAfter: minor('What the beneficiary owes, carried forward to the next statement: 0 or negative.', 0),
};

const StatementDocument = object(documentFields);
export type StatementDocument = Static<typeof StatementDocument>;

export const ResidualStatement = object({
  ...documentFields,
  sha256: sha256('The hash of all fields above: canonical JSON (RFC 8785)'),
  version: recordFields.version,
  state: oneOf(statementStates, {
    description:
      '`ready`: posted. `approved`: can be paid. `paid`: in a batch of payments, or paid by hand. `returned`: the bank returned the payment. `withdrawn`: the run was reversed before the statement was paid, or the payment did not arrive. Only the state changes after the posting.',
  }),
  createdAt: recordFields.createdAt,
  createdBy: recordFields.createdBy,
  updatedAt: recordFields.updatedAt,
  updatedBy: recordFields.updatedBy,
});
export type ResidualStatement = Static<typeof ResidualStatement>;

/** A statement as stored. */
export type StoredStatement = Static<TObject<(typeof ResidualStatement)['properties']>> & {
  /** The event `residual_statement_ready`, which contains the hash. */
  eventId: number;
  /** The batch that paid the statement last. */
  payoutId?: number;
  /** The statement that took this one back after a payout had paid it. */
  reversalId?: number;
};

const lineKinds = [
  'share',
  'override',
  'limit',
  'bonus',
  'fee',
  'clawback',
  'chargeback_loss',
  'advance',
  'advance_recovery',
] as const;

/** A line of a statement, as the beneficiary sees it. */
export const StatementLine = object({
  id: integer({ minimum: 1, description: 'The position on the statement, from 1.', examples: [1] }),
  kind: oneOf(lineKinds, {
    description: '`limit`: the difference to the minimum or the cap of the agreement for the MID.',
  }),
  corrects: optional(
    oneOf(['taken_back'], { description: 'Set if the line takes back a line of an earlier statement.' }),
  ),
  mid: optional(string({ examples: ['4445012345678'] })),
  dba: optional(string({ examples: ['Harbor Street Coffee'] })),
  processor: optional(processorName('The processor of the file.')),
  reason: optional(string({ description: 'Of an adjustment.', examples: ['Signing bonus'] })),
  amount: minor('The rounded amount.'),
  exact: micros('The amount before the rounding.', 123_400_000),
});
export type StatementLine = Static<typeof StatementLine>;

export const StatementProof = object({
  statement: string({
    maxLength: 10_000,
    description:
      'The statement without its state, as canonical JSON (RFC 8785). Its hash is `sha256` in the event’s detail.',
    examples: ['{"accountId":"acme","balanceAfter":0,"balanceBefore":0}'],
  }),
  sha256: sha256('The hash of `statement`'),
  event: EventProof,
});

export const ApproveStatementsInput = object({
  statementIds: array(recordId(), { minItems: 1, maxItems: 30, uniqueItems: true }),
});

export const StatementParams = object({ id: recordId() });
export const LineParams = object({
  id: recordId(),
  line: integer({ minimum: 1, description: 'The `id` of the line.', examples: [1] }),
});
