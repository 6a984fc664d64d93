import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  PayoutSettings,
  PayoutSettingsInput,
  payoutSettings,
  savePayoutSettings,
} from '../../shared/residuals/payouts/settings.ts';

export default endpoint({
  method: 'PUT',
  path: '/payout-settings',
  permission: 'payResiduals',
  proof: 'bank_data',
  body: PayoutSettingsInput,
  response: PayoutSettings,
  record: PayoutSettings,
  happenings: ['payout_settings_created', 'payout_settings_updated'],
  summary: 'Set the bank and the company of payouts',
  description:
    'A NACHA file contains these values. The bank that receives the file assigns them. Omitted optional fields are cleared.',
  read: ({ account }) => payoutSettings.find(account),
  decide: async (request, before) => {
    await request.checkReadOnly(() => before);
    return savePayoutSettings(request, before);
  },
});
