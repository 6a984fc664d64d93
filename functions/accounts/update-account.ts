import { changeAccount } from '../../shared/accounts/change-account.ts';
import { Account, AccountParams, AccountPatch } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';
import { updated } from '../../shared/events/emit.ts';

export default endpoint({
  method: 'PATCH',
  path: '/accounts/{id}',
  administratorOnly: true,
  params: AccountParams,
  body: AccountPatch,
  response: Account,
  emits: ['account_updated'],
  summary: 'Change the settings of the account in x-account-id',
  read: ({ account }) => accounts.get(account),
  decide: async (request, account) => {
    await request.checkReadOnly(() => accounts.show(account));
    if (request.params.id !== account.id) throw notFound('account', request.params.id);
    const after = changeAccount(account, request.body, request);
    const response = accounts.show(after);
    const events = updated(accounts, 'account_updated', accounts.show(account), response);
    return { response, writes: accounts.replace(account, after), events };
  },
});
