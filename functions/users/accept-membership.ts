import { AccountEntry } from '../../shared/accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  acceptMembership,
  OwnMembershipParams,
  ownMember,
} from '../../shared/people/users/own-membership.ts';
import { accountEntry } from '../../shared/people/users/show-user.ts';

export default endpoint({
  method: 'POST',
  path: '/users/{email}/accounts/{accountId}/membership',
  access: 'session',
  params: OwnMembershipParams,
  response: AccountEntry,
  errors: ['users_only'],
  emits: ['user_updated'],
  summary: 'Accept an invitation to an account',
  description: 'Only the invited user may accept. GET /accounts lists open invitations.',
  decide: async (request) => {
    const own = await ownMember(request.principal, request.params);
    const { member, ...changes } = acceptMembership(own, request);
    return { response: accountEntry(member, own.account), ...changes };
  },
});
