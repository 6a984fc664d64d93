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
        'Open invitations, which totalCount does not include. To accept an invitation, send its mailed token to POST ' +
        '/users/{email}/accounts/{accountId}/membership. To decline an invitation, use DELETE with the same path. Empty ' +
        'if the password was not set with a mailed token.',
    }),
  }),
  summary: 'List the caller’s accounts and open invitations',
  description:
    'Returns all accounts in which the caller is active, and the invitations that the caller has not answered yet.',
  decide: async ({ principal }) => {
    const { accounts: data, invitations } = await accountsOf(principal);
    return { response: { data, totalCount: data.length, invitations } };
  },
});
