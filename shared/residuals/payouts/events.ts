import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { PayoutSummary } from './schema.ts';

const detailOf = ({ format, currency, payments, total }: PayoutSummary) => ({
  ...{ format, currency, payments, total },
});

/** Returns the event of a payout, except for returned payments. */
export const payoutChanged = (
  happening: 'payout_created' | 'payout_downloaded' | 'payout_cancelled' | 'payout_result_recorded',
  payout: PayoutSummary,
): EventDraft[] => unnamedChange(payout.accountId, happening, payout, detailOf(payout));

/** Returns the event of payments that were returned together. `codes` contains the reasons that are known. */
export const paymentsReturned = (
  payout: PayoutSummary,
  returned: readonly { amount: number; code?: string }[],
): EventDraft[] => {
  const codes = [...new Set(returned.flatMap(({ code }) => code ?? []))].sort();
  return unnamedChange(payout.accountId, 'payout_returned', payout, {
    ...detailOf(payout),
    returned: returned.length,
    returnedTotal: returned.reduce((sum, { amount }) => sum + amount, 0),
    codes: codes.join(', '),
  });
};
