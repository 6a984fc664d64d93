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
        'Open invitations, not counted in totalCount. POST /users/{email}/accounts/{accountId}/membership accepts an invitation, and DELETE declines it.',
    }),
  }),
  summary: 'List the caller’s accounts and open invitations',
  decide: async ({ principal }) => {
    const { accounts: data, invitations } = await accountsOf(principal);
    return { response: { data, totalCount: data.length, invitations } };
  },
});
