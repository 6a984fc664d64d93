import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { cancelPayout } from '../../shared/residuals/payouts/change-payout.ts';
import { readReopened } from '../../shared/residuals/payouts/reopen-statements.ts';
import { Payout, PayoutParams } from '../../shared/residuals/payouts/schema.ts';
import { payouts } from '../../shared/residuals/payouts/store.ts';
import { residualStatements } from '../../shared/residuals/statements/store.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-payouts/{id}/cancel',
  permission: 'payResiduals',
  params: PayoutParams,
  response: Payout,
  errors: ['payout_not_cancellable'],
  happenings: ['payout_cancelled'],
  destructive: true,
  summary: 'Cancel a payout that was not downloaded',
  description:
    'Its statements are approved again, so that another payout can pay them. If the run of a statement was reversed since, the amount is added to the beneficiary’s balance instead.',
  read: async ({ account, params }) => {
    const payout = await payouts.get(account, params.id);
    const ids = payout.entries.map(({ statementId }) => statementId);
    const statements = await residualStatements.findMany(account, ids);
    return { payout, statements, balances: await readReopened(account, statements) };
  },
  decide: (request, { payout, ...known }) => cancelPayout(payout, known, request),
});
