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
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';
import { micros, processorName, residualMonth } from '../amounts/schema.ts';

const runStates = [
  'calculating',
  'preview',
  'approved',
  'posting',
  'posted',
  'reversing',
  'reversed',
  'stopped',
  'failed',
] as const;

export const ResidualRunInput = object({
  month: residualMonth('The month of the files.'),
  processors: optional(
    array(processorName('The processor of a file.'), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Default: all processors with a file of the month. Empty: only adjustments.',
    }),
  ),
});
export type ResidualRunInput = Static<typeof ResidualRunInput>;

const count = (description: string, example = 0) => integer({ minimum: 0, description, examples: [example] });
const time = () => optional(dateTime({ readOnly: true }));
const person = () => optional(string({ readOnly: true, examples: ['grace@example.com'] }));

const sums = {
  net: micros('The sum of the net amounts of the files.', 1_000_000_000),
  shares: micros('The sum of the shares.', 600_000_000),
  house: micros('The rest, which the account keeps: `net` minus `shares`.', 400_000_000),
};

/** The part of a run about the file of one processor. */
export const RunPart = object({
  processor: processorName('The processor of the file.'),
  fileId: recordId({ description: 'The latest file of the month when the run was started.' }),
  fileVersion: integer({ minimum: 1, examples: [1] }),
  previousRunId: optional(
    recordId({ description: 'The posted run that this run corrects for the processor.' }),
  ),
  rows: count('The rows of the file.', 9_800),
  lines: count('The shares in all rows.', 9_800),
  withoutAgreement: count('The rows to which no agreement applies.'),
  withoutBase: count('The rows without the amount, such as the volume, on which their share is based.'),
  ...sums,
  sha256: sha256('The hash of the lines'),
});
export type RunPart = Static<typeof RunPart>;

export const ResidualRun = object({
  ...recordFields,
  month: residualMonth(),
  state: oneOf(runStates, {
    readOnly: true,
    description:
      'A run is calculated in the background, approved, posted in the background, and possibly reversed. Nothing of a posted run changes. `failed`: it could not be calculated. `stopped`: its posting or reversal failed repeatedly; `error` states how to continue.',
  }),
  error: optional(
    string({ description: 'Why the run has failed or stopped.', examples: ['A file no longer exists.'] }),
  ),
  processors: array(processorName('The processor of a file.')),
  parts: array(RunPart, { description: 'Empty while the run is calculated.' }),
  ...sums,
  adjustments: micros('The sum of the adjustments.', 0),
  difference: micros('What the run adds to the statements of all beneficiaries.', 600_000_000),
  beneficiaryCount: count('The beneficiaries with a share or an adjustment.', 4),
  sha256: optional(sha256('The hash of the result')),
  approvedAt: time(),
  approvedBy: person(),
  postedAt: time(),
  postedBy: person(),
  reversedAt: time(),
  reversedBy: person(),
});
export type ResidualRun = Static<typeof ResidualRun>;

/** The amounts of one beneficiary in a run. */
export const RunBeneficiary = object({
  id: integer({ minimum: 1, description: 'The position in the list.', examples: [1] }),
  beneficiary: Beneficiary,
  name: string({ examples: ['Grace Hopper'] }),
  before: micros('The posted shares in the files of the run.', 0),
  after: micros('The shares by this run.', 150_000_000),
  adjustments: micros('The adjustments by this run.', 0),
  difference: micros(
    'What the run adds to the statements: `after` minus `before`, plus `adjustments`.',
    150_000_000,
  ),
});
export type RunBeneficiary = Static<typeof RunBeneficiary>;
