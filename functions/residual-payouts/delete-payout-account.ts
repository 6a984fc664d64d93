import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { payoutAccountChanged } from '../../shared/residuals/payout-accounts/events.ts';
import { PayoutAccount, PayoutAccountParams } from '../../shared/residuals/payout-accounts/schema.ts';
import { payoutAccounts, showPayoutAccount } from '../../shared/residuals/payout-accounts/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/payout-accounts/{id}',
  permission: 'payResiduals',
  proof: 'bank_data',
  params: PayoutAccountParams,
  response: PayoutAccount,
  happenings: ['payout_account_deleted'],
  summary: 'Delete the bank account of a beneficiary',
  description: 'Existing payouts keep the numbers with which they were created.',
  read: ({ account, params }) => payoutAccounts.get(account, params.id),
  decide: (_, stored) => ({
    response: showPayoutAccount(stored),
    writes: payoutAccounts.delete(stored),
    events: payoutAccountChanged('payout_account_deleted', stored),
  }),
});
