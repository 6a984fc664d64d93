import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { PayoutSettings, payoutSettings } from '../../shared/residuals/payouts/settings.ts';

export default endpoint({
  method: 'GET',
  path: '/payout-settings',
  permission: 'readResiduals',
  response: PayoutSettings,
  errors: ['not_found'],
  summary: 'Read the bank and the company of payouts',
  read: ({ account }) => payoutSettings.get(account),
  decide: (_, settings) => ({ response: settings }),
});
