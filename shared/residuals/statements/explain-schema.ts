import {
  array,
  integer,
  mapOf,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { micros, processorName, residualMonth } from '../amounts/schema.ts';
import { StatementLine } from './schema.ts';

const step = object({
  step: oneOf([
    'base',
    'costs',
    'tier',
    'share',
    'items',
    'sum',
    'minimum',
    'cap',
    'days',
    'adjustment',
    'taken_back',
    'amount',
    'rounding',
  ]),
  text: string({ description: 'The calculation, for people.', examples: ['1234.56 × 50 % = 617.28'] }),
  result: micros('The result of the step.', 617_280_000),
});

/** How an amount of a statement came about. */
export const LineExplanation = object({
  line: StatementLine,
  file: optional(
    object({
      id: recordId(),
      processor: processorName('The processor that sent the file.'),
      month: residualMonth('The month of the file.'),
      fileName: string({ examples: ['residuals-2026-10.xlsx'] }),
      fileVersion: optional(integer({ examples: [1] })),
      sha256: string({
        description: 'The hash of the file.',
        examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
      }),
    }),
  ),
  row: optional(
    object(
      {
        place: integer({ description: 'The place in the file, from 1.', examples: [2] }),
        sheet: optional(string({ examples: ['Residuals'] })),
        sheetRow: optional(integer({ examples: [2] })),
        mid: string({ examples: ['4445012345678'] }),
        dba: optional(string({ examples: ['Harbor Street Coffee'] })),
        values: mapOf(integer({ examples: [1_234_560_000] }), {
          description:
            'The values of the row from which the amount was calculated. Amounts are in millionths of the currency.',
          examples: [{ net: 1_234_560_000 }],
        }),
      },
      { description: 'Absent for adjustments. For a line of the kind `limit`, the first row of the MID.' },
    ),
  ),
  agreement: optional(
    object({
      id: recordId(),
      version: integer({ examples: [1] }),
      validFrom: residualMonth('The first month of the version.'),
    }),
  ),
  adjustmentId: optional(recordId()),
  steps: array(step),
  rounding: object({
    exact: micros('The amount before the rounding.', 617_280_000),
    amount: integer({ description: 'In the smallest unit of the currency.', examples: [61_728] }),
    difference: micros('The amount that the rounding adds.', 0),
    rule: string({ examples: ['Largest remainder.'] }),
  }),
});
export type LineExplanation = Static<typeof LineExplanation>;
