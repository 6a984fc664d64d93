import type { Static } from '../../schema.ts';
import { isConfirmed } from './rules.ts';
import type { Factor, Factors, StoredFactor, StoredFactors } from './schema.ts';

/** Returns a factor without its secret. */
export const showFactor = (factor: StoredFactor): Static<typeof Factor> => {
  const { id, type, name, createdAt, lastUsedAt } = factor;
  return { id, type, name, confirmed: isConfirmed(factor), createdAt, lastUsedAt };
};

export const showFactors = ({ factors, recoveryCodes }: StoredFactors): Static<typeof Factors> => ({
  factors: factors.map(showFactor),
  recoveryCodesLeft: recoveryCodes.length,
});
