import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { createPayout, readPayoutSources } from '../../shared/residuals/payouts/create-payout.ts';
import { CreatedPayout, PayoutInput } from '../../shared/residuals/payouts/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-payouts',
  permission: 'payResiduals',
  proof: 'bank_data',
  sensitive: true,
  readsMany: true,
  body: PayoutInput,
  response: CreatedPayout,
  success: 'created',
  errors: ['payout_empty', 'payout_settings_missing'],
  happenings: ['payout_created'],
  summary: 'Pay approved statements',
  description:
    'Creates a file with one payment for each statement, at most 80, as a NACHA file (PPD for persons, CCD for companies) or as CSV. With `statementIds`, all statements are paid or none. With `month`, `skipped` lists the statements that are not paid, such as those of beneficiaries without a payout account. If more than 80 can be paid, `left` contains their number, and another payout pays the next ones. A statement is in at most one payout, unless the payment was returned or the payout was cancelled.',
  read: (input) => readPayoutSources(input),
  decide: (request, sources) => createPayout(request, sources),
});
