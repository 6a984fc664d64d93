import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { paymentIn, recordResult } from '../../shared/residuals/payouts/record-result.ts';
import { readReopened } from '../../shared/residuals/payouts/reopen-statements.ts';
import { PaymentParams, PaymentResultInput, Payout } from '../../shared/residuals/payouts/schema.ts';
import { payouts, showPayout } from '../../shared/residuals/payouts/store.ts';
import { residualStatements } from '../../shared/residuals/statements/store.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-payouts/{id}/entries/{n}/result',
  permission: 'payResiduals',
  params: PaymentParams,
  body: PaymentResultInput,
  response: Payout,
  errors: ['payout_not_sent', 'statement_paid_again'],
  happenings: ['payout_returned', 'payout_result_recorded'],
  summary: 'Record the result of a payment by hand',
  description:
    'A returned payment makes its statement payable again. If the run of the statement was reversed since, the amount is added to the beneficiary’s balance instead. The same result again changes nothing. A payment that was wrongly recorded as returned can become paid, until another payout pays the statement.',
  read: async ({ account, params }) => {
    const payout = await payouts.get(account, params.id);
    const { statementId } = paymentIn(payout, params.n);
    const statement = await residualStatements.get(account, statementId);
    return { payout, statement, balances: await readReopened(account, [statement]) };
  },
  decide: (request, { payout, ...known }) => {
    const input = { ...request.body, n: request.params.n };
    const { payout: after, writes, events } = recordResult(payout, input, known, request);
    return { response: showPayout(after), writes, events };
  },
});
