import { Account, AccountParams } from '../../shared/accounts/account.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/accounts/{id}',
    administratorOnly: true,
    params: AccountParams,
    response: Account,
    summary: 'Read the account that x-account-id names',
  },
  {
    decide: ({ params, accountRecord }) => {
      if (params.id !== accountRecord.id) throw new Refusal('not_found');
      return { answer: accountRecord };
    },
  },
);
