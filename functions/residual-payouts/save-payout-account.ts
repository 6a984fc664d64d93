import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readNamedBeneficiaries } from '../../shared/residuals/adjustments/named-beneficiaries.ts';
import { requireBeneficiary } from '../../shared/residuals/agreements/name-beneficiaries.ts';
import { beneficiaryIn } from '../../shared/residuals/amounts/beneficiary.ts';
import { mayRevealAccounts } from '../../shared/residuals/payout-accounts/may-reveal.ts';
import { savePayoutAccount } from '../../shared/residuals/payout-accounts/save-payout-account.ts';
import {
  PayoutAccount,
  PayoutAccountInput,
  PayoutAccountParams,
} from '../../shared/residuals/payout-accounts/schema.ts';
import { payoutAccounts, showPayoutAccount } from '../../shared/residuals/payout-accounts/store.ts';
import { readAndCheck } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PUT',
  path: '/payout-accounts/{id}',
  permission: 'payResiduals',
  proof: 'bank_data',
  sensitive: true,
  params: PayoutAccountParams,
  body: PayoutAccountInput,
  response: PayoutAccount,
  errors: ['quota_exceeded'],
  happenings: ['payout_account_created', 'payout_account_updated'],
  summary: 'Create or change the bank account of a beneficiary',
  description:
    'A beneficiary has at most one payout account. When it is created, the user must be active, or be a beneficiary in an agreement. REDACTED keeps the stored account number. Existing payouts keep the numbers with which they were created.',
  read: ({ account, params }) =>
    readAndCheck(
      payoutAccounts.find(account, params.id),
      requireBeneficiary(account, beneficiaryIn(params.id), () => readNamedBeneficiaries(account)),
      (before) => before !== undefined,
    ),
  decide: async (request, [before]) => {
    await request.checkReadOnly(() => before && showPayoutAccount(before));
    return savePayoutAccount(request, before, mayRevealAccounts(request.principal));
  },
});
