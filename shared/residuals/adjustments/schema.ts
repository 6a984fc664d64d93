import {
  date,
  integer,
  mapOf,
  multilineText,
  object,
  oneOf,
  optional,
  partial,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';
import { micros, residualMonth } from '../amounts/schema.ts';

const adjustmentKinds = ['bonus', 'fee', 'clawback', 'chargeback_loss', 'advance', 'transfer'] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

const fields = {
  kind: oneOf(adjustmentKinds, {
    description:
      '`bonus` and `advance` add to the statement of the month. `fee`, `clawback` and `chargeback_loss` subtract from it. `transfer` moves a MID to another beneficiary.',
  }),
  beneficiary: Beneficiary,
  month: residualMonth('The month of the statement. For a transfer, the month of `date`.'),
};
const optionalFields = {
  amount: integer({
    minimum: 1,
    maximum: 1_000_000_000_000,
    description: 'Required except for a transfer. In millionths of the currency.',
    examples: [250_000_000],
  }),
  basisPoints: integer({
    minimum: 1,
    maximum: 10_000,
    description:
      'For a chargeback loss: the part of the loss that the beneficiary bears; default: all. For an advance: the largest part of the residuals of a month by which it is recovered; default: all. 5000 means 50 %.',
    examples: [2_500],
  }),
  mid: string({
    minLength: 1,
    maxLength: 32,
    description: 'Required for a transfer.',
    examples: ['4445012345678'],
  }),
  to: Beneficiary,
  date: date({
    description: 'For a transfer: the first day of the new beneficiary, in the account’s time zone.',
  }),
  by: oneOf(['day', 'month'], {
    description:
      'For a transfer: whether the month is divided by its days, or belongs to the new beneficiary as a whole. Later months belong to the new beneficiary.',
  }),
  reason: multilineText({
    minLength: 1,
    maxLength: 500,
    description: 'Shown on the statement.',
    examples: ['Signing bonus'],
  }),
};

export const AdjustmentInput = object(
  { ...fields, ...partial(optionalFields).properties },
  {
    examples: [
      {
        kind: 'bonus',
        beneficiary: { type: 'user', id: '214563398120449' },
        month: '2026-10',
        amount: 250_000_000,
        reason: 'Signing bonus',
      },
    ],
  },
);
export type AdjustmentInput = Static<typeof AdjustmentInput>;

export const Adjustment = object({
  ...recordFields,
  ...AdjustmentInput.properties,
  names: mapOf(string({ examples: ['Grace Hopper'] }), {
    readOnly: true,
    description: 'The names of the beneficiaries, by `type:id`.',
    examples: [{ 'user:214563398120449': 'Grace Hopper' }],
  }),
  state: oneOf(['open', 'used'], {
    readOnly: true,
    description:
      '`used`: on a posted statement. Transfers remain open: deleting one changes later runs only.',
  }),
  outstanding: optional(
    micros(
      'The part of an advance that is not recovered yet, once it is on a posted statement.',
      250_000_000,
    ),
  ),
  recovered: optional(
    mapOf(micros('The recovered amount.'), {
      description: 'The recovered amounts of an advance by month.',
      examples: [{ '2026-11': 50_000_000 }],
    }),
  ),
});
export type Adjustment = Static<typeof Adjustment>;
