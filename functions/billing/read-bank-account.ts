import { BankAccount, BankAccountParams } from '../../shared/billing/bank-accounts/schema.ts';
import { bankAccounts, showBankAccount } from '../../shared/billing/bank-accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/bank-accounts/{id}',
  permission: 'readInvoices',
  params: BankAccountParams,
  response: BankAccount,
  summary: 'Read a bank account',
  read: ({ account, params }) => bankAccounts.get(account, params.id),
  decide: (_, bankAccount) => ({ response: showBankAccount(bankAccount) }),
});
