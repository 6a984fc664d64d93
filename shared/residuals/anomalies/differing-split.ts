import type { StoredRate } from '../../sales/merchants/stored-merchant.ts';
import type { FoundAgreement } from '../agreements/find-agreement.ts';
import { allPoints } from '../amounts/exact.ts';
import type { ResidualAnomaly } from './schema.ts';

/** The part of the agent and that of the account in a merchant's rate, in percent. */
export type Split = Pick<StoredRate, 'agentSplit' | 'isoSplit'>;

/** Returns the split that a merchant has at the end of a month. `rates` are sorted, the newest first. */
export const splitIn = (rates: readonly StoredRate[], month: string): Split | undefined =>
  rates.find(({ effectiveDate }) => effectiveDate.slice(0, 7) <= month);

type Difference = Pick<
  ResidualAnomaly,
  'beneficiary' | 'agreedBasisPoints' | 'houseBasisPoints' | 'agentSplit' | 'isoSplit'
>;

/**
 * Compares the split of a merchant with the agreement that applies. Returns undefined if they are equal, or cannot be
 * compared: if the share is no part of the net amounts, or if it depends on totals.
 */
export function differingSplit(
  split: Split | undefined,
  { agreement, terms, hasEnded }: FoundAgreement,
): Difference | undefined {
  const { of, basisPoints } = terms.share;
  const isOfNet = of === 'net' || of === 'net_after_costs';
  const agreed = hasEnded ? terms.shareAfterEnd : basisPoints;
  if (!split || !isOfNet || agreed === undefined || (terms.tiers && !hasEnded)) return undefined;
  const { agentSplit, isoSplit } = split;
  const overrides = hasEnded ? [] : (terms.overrides ?? []);
  const house = overrides.reduce((rest, override) => rest - override.basisPoints, allPoints - agreed);
  if (isEqual(agentSplit, agreed) && isEqual(isoSplit, house)) return undefined;
  return {
    ...{ beneficiary: agreement.beneficiary, agreedBasisPoints: agreed, houseBasisPoints: house },
    ...(agentSplit !== undefined && { agentSplit }),
    ...(isoSplit !== undefined && { isoSplit }),
  };
}

/** Reports whether a percentage with at most six decimals is absent or equals basis points. */
const isEqual = (percent: number | undefined, basisPoints: number): boolean =>
  percent === undefined || Math.round(percent * 1e6) === basisPoints * 1e4;
