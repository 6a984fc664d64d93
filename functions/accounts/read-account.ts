import { Account, AccountParams } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';

export default endpoint({
  method: 'GET',
  path: '/accounts/{id}',
  administratorOnly: true,
  servesClosed: true,
  params: AccountParams,
  response: Account,
  summary: 'Read the account in x-account-id',
  decide: ({ params, accountRecord }) => {
    if (params.id !== accountRecord.id) throw notFound('account', params.id);
    return { response: accounts.show(accountRecord) };
  },
});
