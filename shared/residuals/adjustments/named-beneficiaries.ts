import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { residualAgreements, type StoredAgreement } from '../agreements/store.ts';
import type { Adjustment } from './schema.ts';
import { residualAdjustments } from './store.ts';

/** Returns the names of the beneficiaries in agreements and adjustments, by `type:id`. */
export const namesIn = (sources: {
  agreements: readonly StoredAgreement[];
  adjustments: readonly Adjustment[];
}): Record<string, string> =>
  Object.assign({}, ...[...sources.agreements, ...sources.adjustments].map(({ names }) => names));

/**
 * Reads the names of all beneficiaries in agreements, transfers, advances and open adjustments, by `type:id`. Some of them may
 * have left the account.
 */
export async function readNamedBeneficiaries(account: AccountId): Promise<Record<string, string>> {
  const [{ agreements }, adjustments] = await inParallel([
    residualAgreements.all(account),
    residualAdjustments.open(account),
  ]);
  return namesIn({ agreements, adjustments });
}
