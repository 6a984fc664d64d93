import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Payout, PayoutParams } from '../../shared/residuals/payouts/schema.ts';
import { payouts, showPayout } from '../../shared/residuals/payouts/store.ts';

export default endpoint({
  method: 'GET',
  path: '/residual-payouts/{id}',
  permission: 'readResiduals',
  params: PayoutParams,
  response: Payout,
  summary: 'Read a payout with its payments',
  read: ({ account, params }) => payouts.get(account, params.id),
  decide: (_, payout) => ({ response: showPayout(payout) }),
});
