import { updated } from '../../events/announce.ts';
import { Account, AccountParams, AccountPatch } from '../../shared/accounts/account.ts';
import { accounts } from '../../shared/accounts/accounts.ts';
import { checkTimezone } from '../../shared/accounts/timezone.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/accounts/{id}',
    administratorOnly: true,
    params: AccountParams,
    body: AccountPatch,
    response: Account,
    announces: ['account_updated'],
    summary: 'Change the settings of the account that x-account-id names',
  },
  {
    read: ({ account }) => accounts.get(account),
    decide: ({ params, body, caller, now }, account) => {
      if (params.id !== account.id) throw new Refusal('not_found');
      checkTimezone(body.timezone);
      const after = revise(account, body, caller.actor.user, now);
      return {
        answer: after,
        writes: accounts.replace(account, after),
        events: updated('account_updated', 'account', account, after),
      };
    },
  },
);
