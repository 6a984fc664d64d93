import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { downloadPayout } from '../../shared/residuals/payouts/change-payout.ts';
import { PayoutFile, PayoutParams } from '../../shared/residuals/payouts/schema.ts';
import { payouts } from '../../shared/residuals/payouts/store.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-payouts/{id}/file',
  permission: 'payResiduals',
  proof: 'reveal',
  sensitive: true,
  params: PayoutParams,
  response: PayoutFile,
  errors: ['payout_cancelled'],
  happenings: ['payout_downloaded'],
  summary: 'Show the file of a payout',
  description:
    'Returns the file with the account numbers. Its bytes are always the same. After the first such request, the payout cannot be cancelled. An event records each request.',
  read: ({ account, params }) => payouts.get(account, params.id),
  decide: (request, payout) => downloadPayout(payout, request),
});
