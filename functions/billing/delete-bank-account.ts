import { BankAccount, BankAccountParams } from '../../shared/billing/bank-accounts/schema.ts';
import { bankAccounts, showBankAccount } from '../../shared/billing/bank-accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';

export default endpoint({
  method: 'DELETE',
  path: '/billing/bank-accounts/{id}',
  permission: 'writeInvoices',
  params: BankAccountParams,
  response: BankAccount,
  emits: ['no_event_name'],
  summary: 'Delete a bank account',
  description: 'The payments of its statements remain. The id can be used again.',
  read: ({ account, params }) => bankAccounts.get(account, params.id),
  decide: ({ account }, bankAccount) => ({
    response: showBankAccount(bankAccount),
    writes: bankAccounts.delete(bankAccount),
    events: unnamedChange(account, 'bank_account', 'deleted', { id: bankAccount.listId }),
  }),
});
