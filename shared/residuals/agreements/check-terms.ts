import { ApiError, type FieldError } from '../../errors.ts';
import { allPoints } from '../amounts/exact.ts';
import type { AgreementScope, AgreementTerms } from './schema.ts';
import { type Applying, conflictOf, cycleWith, scopeName } from './terms.ts';

const fault = (field: string, message: string): FieldError => ({ field, message });

/** Throws `invalid_input` with all faults of the scope and the terms of an agreement. */
export function checkTerms(scope: AgreementScope, terms: AgreementTerms): void {
  const details = [
    ...(Object.values(scope).filter((value) => value !== undefined).length > 1
      ? [fault('scope', 'must have at most one of mid, merchantId and processor')]
      : []),
    ...faultsOfShare(terms),
    ...faultsOfTiers(terms),
    ...faultsOfLimits(terms),
    ...faultsOfOverrides(terms),
  ];
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

function faultsOfShare({ share, costs }: AgreementTerms): FieldError[] {
  const { basisPoints, of, amountPerItem } = share;
  const isPart = basisPoints !== undefined && of !== undefined && amountPerItem === undefined;
  const isPerItem = amountPerItem !== undefined && basisPoints === undefined && of === undefined;
  return [
    ...(isPart || isPerItem ? [] : [fault('share', 'must have basisPoints and of, or only amountPerItem')]),
    ...(costs && of !== 'net_after_costs' ? [fault('costs', 'needs the share of net_after_costs')] : []),
    ...(of === 'net_after_costs' && !costs ? [fault('costs', 'is required for net_after_costs')] : []),
  ];
}

function faultsOfTiers({ share, tiers }: AgreementTerms): FieldError[] {
  if (!tiers) return [];
  const { steps } = tiers;
  const isSorted = steps.every(({ from }, n) => n === 0 || from > (steps[n - 1]?.from ?? 0));
  return [
    ...(share.basisPoints === undefined ? [fault('tiers', 'needs a share in basis points')] : []),
    ...(isSorted ? [] : [fault('tiers.steps', 'must be in ascending order of from, without repetitions')]),
  ];
}

function faultsOfLimits({ minimum, cap, validFrom, validTo, shareAfterEnd }: AgreementTerms): FieldError[] {
  return [
    ...(minimum !== undefined && cap !== undefined && minimum > cap
      ? [fault('minimum', 'must not be larger than cap')]
      : []),
    ...(validTo !== undefined && validTo < validFrom
      ? [fault('validTo', 'must not be before validFrom')]
      : []),
    ...(shareAfterEnd !== undefined && validTo === undefined
      ? [fault('shareAfterEnd', 'needs validTo')]
      : []),
  ];
}

function faultsOfOverrides({ share, tiers, overrides = [] }: AgreementTerms): FieldError[] {
  const above = overrides.reduce((sum, { basisPoints }) => sum + basisPoints, 0);
  const shares = [share.basisPoints ?? 0, ...(tiers?.steps ?? []).map(({ basisPoints }) => basisPoints)];
  const largest = share.of === 'volume' ? 0 : Math.max(...shares);
  return above + largest > allPoints
    ? [fault('overrides', 'must be, together with the share, at most 10000 basis points')]
    : [];
}

/**
 * Throws `agreement_conflict` if another agreement would apply to the same rows, and `agreement_cycle` if a beneficiary
 * would be above itself.
 */
export function checkAgainstOthers(agreement: Applying, others: readonly Applying[]): void {
  const conflict = conflictOf(agreement, others);
  if (conflict) {
    const { other, month } = conflict;
    const scope = scopeName(agreement.scope);
    const message = `The agreement ${other.id} already applies to the scope ${scope} in ${month}. Change it, or choose other months.`;
    throw new ApiError('agreement_conflict', { message });
  }
  const cycle = cycleWith(agreement, others);
  if (cycle) {
    const message = `A beneficiary would be above itself: ${cycle.join(', ')}.`;
    throw new ApiError('agreement_cycle', { message });
  }
}

/** Returns the beneficiaries of an agreement by their fields. */
export const namedFields = ({
  beneficiary,
  overrides = [],
}: Pick<AgreementTerms, 'overrides'> & { beneficiary: Applying['beneficiary'] }): Map<
  string,
  Applying['beneficiary']
> =>
  new Map([
    ['beneficiary', beneficiary],
    ...overrides.map((one, n) => [`overrides[${n}].beneficiary`, one.beneficiary] as const),
  ]);
