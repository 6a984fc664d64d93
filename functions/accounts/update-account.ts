import { checkTimezone } from '../../shared/accounts/rules.ts';
import { Account, AccountParams, AccountPatch } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { ApiError } from '../../shared/errors.ts';
import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/accounts/{id}',
    administratorOnly: true,
    params: AccountParams,
    body: AccountPatch,
    response: Account,
    emits: ['account_updated'],
    summary: 'Change the settings of the account that x-account-id names',
  },
  {
    read: ({ account }) => accounts.get(account),
    decide: (request, account) => {
      const { params, body } = request;
      if (params.id !== account.id) throw new ApiError('not_found');
      checkTimezone(body.timezone);
      const after = revise(account, body, request);
      const events = updated(accounts, 'account_updated', account, after);
      return { response: after, writes: accounts.replace(account, after), events };
    },
  },
);
