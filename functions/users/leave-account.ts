import { AccountEntry } from '../../shared/accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { leaveAccount, OwnMembershipParams, ownMember } from '../../shared/people/users/own-membership.ts';
import { accountEntry } from '../../shared/people/users/show-user.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/accounts/{accountId}/membership',
  access: 'session',
  params: OwnMembershipParams,
  response: AccountEntry,
  errors: ['users_only', 'last_administrator'],
  emits: ['user_removed_from_account', 'user_deleted'],
  summary: 'Decline an invitation to an account, or leave the account',
  description:
    'Only the user in the path may send this request. The last administrator cannot leave. The user is deleted if the user has no other account or invitation.',
  decide: async (request) => {
    const own = await ownMember(request.principal, request.params);
    return { response: accountEntry(own, own.account), ...(await leaveAccount(own, request)) };
  },
});
