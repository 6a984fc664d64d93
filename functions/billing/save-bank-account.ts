import { saveBankAccount } from '../../shared/billing/bank-accounts/save-bank-account.ts';
import {
  BankAccount,
  BankAccountInput,
  BankAccountParams,
} from '../../shared/billing/bank-accounts/schema.ts';
import { bankAccounts, showBankAccount } from '../../shared/billing/bank-accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'PUT',
  path: '/billing/bank-accounts/{id}',
  permission: 'writeInvoices',
  proof: 'bank_data',
  params: BankAccountParams,
  body: BankAccountInput,
  response: BankAccount,
  errors: ['quota_exceeded'],
  happenings: ['bank_account_created', 'bank_account_updated'],
  summary: 'Create or change a bank account',
  description:
    'Stores the currency and the style of the files of a bank account. An import that names the bank account uses them. Omitted fields are cleared. The first import of a bank account returns a `suggestion` that can be sent as it is, after a person checked it. An account has at most 100 bank accounts.',
  read: ({ account, params }) => bankAccounts.find(account, params.id),
  decide: async (request, before) => {
    await request.checkReadOnly(() => before && showBankAccount(before));
    return saveBankAccount(request, before);
  },
});
