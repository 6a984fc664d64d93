import type { FoundAgreement } from '../agreements/find-agreement.ts';
import { beneficiaryIn } from '../amounts/beneficiary.ts';
import type { ResidualLine } from '../runs/calculation.ts';
import type { ResidualAnomaly } from './schema.ts';

/** How a share is calculated. `basisPoints` is absent if it is not compared. */
type Rate = Pick<ResidualLine, 'of' | 'basisPoints' | 'amountPerItem'>;

/** Returns the rate that an agreement has for a level. A level above that it does not have receives nothing. */
function agreedRate({ terms, hasEnded }: FoundAgreement, { level, beneficiary }: ResidualLine): Rate {
  const { of = 'net', amountPerItem, basisPoints } = terms.share;
  if (level > 0) {
    const override = hasEnded
      ? undefined
      : terms.overrides?.find((one) => `${one.beneficiary.type}:${one.beneficiary.id}` === beneficiary);
    return { of, basisPoints: override?.basisPoints ?? 0 };
  }
  const points = hasEnded ? terms.shareAfterEnd : basisPoints;
  // Tiers depend on totals, which a corrected file may change.
  const compared = terms.tiers && !hasEnded ? {} : points !== undefined && { basisPoints: points };
  return amountPerItem === undefined
    ? { of, ...compared }
    : { of: 'items', amountPerItem, ...(hasEnded && compared) };
}

/** Compares a posted line with the agreement that applies now. Returns undefined if its rate is the agreed one. */
export function differingRate(
  line: ResidualLine,
  found: FoundAgreement,
): Partial<ResidualAnomaly> | undefined {
  const agreed = agreedRate(found, line);
  const isOtherBase = agreed.of !== line.of;
  const isOtherShare = agreed.basisPoints !== undefined && agreed.basisPoints !== line.basisPoints;
  const isOtherAmount = agreed.amountPerItem !== line.amountPerItem;
  if (!isOtherBase && !isOtherShare && !isOtherAmount) return undefined;
  return {
    beneficiary: beneficiaryIn(line.beneficiary),
    ...(isOtherBase && { agreedBase: agreed.of, postedBase: line.of }),
    ...(agreed.basisPoints !== undefined && { agreedBasisPoints: agreed.basisPoints }),
    ...(line.basisPoints !== undefined && { postedBasisPoints: line.basisPoints }),
    ...(agreed.amountPerItem !== undefined && { agreedAmountPerItem: agreed.amountPerItem }),
    ...(line.amountPerItem !== undefined && { postedAmountPerItem: line.amountPerItem }),
  };
}
