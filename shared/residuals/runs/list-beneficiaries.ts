import type { AccountId } from '../../id/account-id.ts';
import { type ListSource, shortListSource } from '../../table/list-source.ts';
import { beneficiaryIn } from '../amounts/beneficiary.ts';
import { addMicros, sumMicros } from '../amounts/micros.ts';
import { compareTotals } from './calculate-run.ts';
import type { RunBeneficiary } from './schema.ts';
import { residualRuns, runResults } from './store.ts';

/** Lists what each beneficiary receives by a run, in the order of their ids. Empty while the run is calculated. */
export const beneficiariesOfRun = (account: AccountId, id: number): ListSource<RunBeneficiary> =>
  shortListSource(async () => {
    const run = await residualRuns.get(account, id);
    if (run.state === 'calculating' || run.state === 'failed') return [];
    const [compared, adjustments] = await Promise.all([compareTotals(run), runResults.adjustmentsOf(run)]);
    const all = new Map(compared.map((one) => [one.beneficiary, { ...one, adjustments: 0 }]));
    for (const { beneficiary, name, amount } of adjustments) {
      const one = all.get(beneficiary) ?? { beneficiary, name, before: 0, after: 0, adjustments: 0 };
      all.set(beneficiary, { ...one, adjustments: addMicros(one.adjustments, amount) });
    }
    const sorted = [...all.values()].sort((one, other) => (one.beneficiary < other.beneficiary ? -1 : 1));
    return sorted.map((one, n) => ({
      ...one,
      id: n + 1,
      beneficiary: beneficiaryIn(one.beneficiary),
      difference: sumMicros([one.after, -one.before, one.adjustments]),
    }));
  });
