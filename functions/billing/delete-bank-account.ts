import { bankAccountChanged } from '../../shared/billing/bank-accounts/events.ts';
import { BankAccount, BankAccountParams } from '../../shared/billing/bank-accounts/schema.ts';
import { bankAccounts, showBankAccount } from '../../shared/billing/bank-accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'DELETE',
  path: '/billing/bank-accounts/{id}',
  permission: 'writeInvoices',
  proof: 'bank_data',
  params: BankAccountParams,
  response: BankAccount,
  happenings: ['bank_account_deleted'],
  summary: 'Delete a bank account',
  description: 'The payments of its statements remain. The id can be used again.',
  read: ({ account, params }) => bankAccounts.get(account, params.id),
  decide: (_, bankAccount) => ({
    response: showBankAccount(bankAccount),
    writes: bankAccounts.delete(bankAccount),
    events: bankAccountChanged('bank_account_deleted', bankAccount),
  }),
});
