import { endpoint } from '../../shared/http/endpoint.ts';
import { array, integer, object } from '../../shared/schema.ts';
import { accountsOf } from '../../shared/sessions/session-view.ts';
import { AccountEntry } from '../../shared/sessions/user-session.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/accounts',
    access: 'session',
    response: object({ data: array(AccountEntry), totalCount: integer({ examples: [1] }) }),
    summary: 'List the accounts that the caller belongs to',
  },
  {
    decide: async ({ caller }) => {
      const data = await accountsOf(caller);
      return { answer: { data, totalCount: data.length } };
    },
  },
);
