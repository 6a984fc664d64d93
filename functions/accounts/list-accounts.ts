import { AccountEntry, AccountInvitation } from '../../shared/accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { accountsOf } from '../../shared/people/sessions/show-session.ts';
import { array, integer, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/accounts',
  access: 'session',
  response: object({
    data: array(AccountEntry),
    totalCount: integer({ examples: [1] }),
    invitations: array(AccountInvitation, {
      description:
        'POST …/users/{email}/accounts/{accountId}/membership accepts one, DELETE declines it; in no total.',
    }),
  }),
  summary: 'List the accounts that the caller belongs to, and those that invite it',
  decide: async ({ principal }) => {
    const { accounts: data, invitations } = await accountsOf(principal);
    return { response: { data, totalCount: data.length, invitations } };
  },
});
