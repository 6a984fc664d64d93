import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import {
  PayoutAccount,
  PayoutAccountParams,
  RevealPayoutAccount,
} from '../../shared/residuals/payout-accounts/schema.ts';
import {
  decryptAccountNumber,
  payoutAccounts,
  showPayoutAccount,
} from '../../shared/residuals/payout-accounts/store.ts';

export default endpoint({
  method: 'GET',
  path: '/payout-accounts/{id}',
  permission: 'payResiduals',
  proof: [{ purpose: 'reveal', ifQuery: 'reveal' }],
  sensitive: true,
  params: PayoutAccountParams,
  query: RevealPayoutAccount,
  response: PayoutAccount,
  emits: ['application_sensitive_data_revealed'],
  summary: 'Read the bank account of a beneficiary',
  description: '`reveal=true` shows the account number, and an event records the access.',
  read: ({ account, params }) => payoutAccounts.get(account, params.id),
  decide: async ({ query, dataKeys }, stored) => {
    const plain = query.reveal ? await decryptAccountNumber(await dataKeys(), stored) : undefined;
    return {
      response: showPayoutAccount(stored, plain),
      writes: [],
      events: plain === undefined ? [] : sensitiveDataRevealed(payoutAccounts, stored, ['accountNumber']),
    };
  },
});
