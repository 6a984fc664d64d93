import { rateFields } from '../../sales/merchants/fields.ts';
import { array, integer, object, oneOf, optional, recordId, type Static, string } from '../../schema.ts';
import { shareBases } from '../agreements/schema.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';
import { micros, processorName, residualMonth } from '../amounts/schema.ts';

export const anomalyKinds = [
  'rate_differs',
  'mid_missing',
  'volume_halved',
  'without_agreement',
  'paid_merchant_missing',
  'split_differs',
] as const;
export type AnomalyKind = (typeof anomalyKinds)[number];

/** The most anomalies of a response. */
export const mostAnomalies = 1_000;

const points = (description: string, example: number) =>
  integer({ description: `${description} In basis points: 5000 means 50 %.`, examples: [example] });

const rateBase = (description: string, example: string) =>
  oneOf([...shareBases, 'items'], {
    description: `${description} \`items\`: an amount for each transaction.`,
    examples: [example],
  });

export const ResidualAnomaly = object({
  kind: oneOf(anomalyKinds, {
    description:
      '`rate_differs`: a posted share, also of a level above, has another rate, base or amount for each transaction than the agreement that applies now. `mid_missing`: a MID of the previous month has no row in the file of the same processor. `volume_halved`: the volume is at most half of that of the previous month. `without_agreement`: no agreement applies to the MID. `paid_merchant_missing`: shares were posted for the merchant in the previous month, and no file has a row of it. `split_differs`: the `agentSplit` of the merchant’s rates is not the share of net amounts in the agreement that applies, or its `isoSplit` is not the rest. The shares of agreements with tiers are not compared.',
  }),
  processor: processorName('The processor of the rows.'),
  mid: string({ examples: ['4445012345678'] }),
  dba: optional(string({ examples: ['Harbor Street Coffee'] })),
  merchantId: optional(recordId({ description: 'The merchant that has the MID.' })),
  net: optional(micros('The net amounts of the month.')),
  previousNet: optional(micros('The net amounts of the previous month.')),
  volume: optional(micros('The volume of the month.', 4_000_000_000)),
  previousVolume: optional(micros('The volume of the previous month.', 10_000_000_000)),
  beneficiary: optional(Beneficiary),
  agreedBasisPoints: optional(points('The share of the agreement that applies now.', 5_000)),
  postedBasisPoints: optional(points('The share that was posted.', 4_500)),
  agreedBase: optional(rateBase('The base of the agreement that applies now, if it differs.', 'volume')),
  postedBase: optional(rateBase('The base of the posted share, if it differs.', 'net')),
  agreedAmountPerItem: optional(micros('The amount for each transaction that applies now.', 20_000)),
  postedAmountPerItem: optional(micros('The amount for each transaction that was posted.', 15_000)),
  houseBasisPoints: optional(
    points('The part that remains for the account after all shares of the agreement.', 5_000),
  ),
  agentSplit: optional(rateFields.agentSplit),
  isoSplit: optional(rateFields.isoSplit),
});
export type ResidualAnomaly = Static<typeof ResidualAnomaly>;

const count = integer({ minimum: 0, examples: [0] });

export const ResidualAnomalies = object({
  month: residualMonth('The month that was compared.'),
  previousMonth: residualMonth('The month before.'),
  counts: object(
    {
      rate_differs: count,
      mid_missing: count,
      volume_halved: count,
      without_agreement: count,
      paid_merchant_missing: count,
      split_differs: count,
    },
    { description: 'The number of all anomalies by kind.' },
  ),
  anomalies: array(ResidualAnomaly, {
    description: `At most ${mostAnomalies}, the largest net amounts first.`,
  }),
});
export type ResidualAnomalies = Static<typeof ResidualAnomalies>;

export const AnomaliesQuery = object({
  month: residualMonth('The month to compare with the month before.'),
  processor: optional(
    processorName('Compares only the files of this processor. Default: the files of all processors.'),
  ),
});
