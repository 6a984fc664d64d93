import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { memberByEmail } from '../../shared/people/users/find-member.ts';
import { removeMember } from '../../shared/people/users/remove-member.ts';
import { User, UserParams } from '../../shared/people/users/schema.ts';
import { userView } from '../../shared/people/users/show-user.ts';
import { object, string } from '../../shared/schema.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/accounts/{accountId}',
  permission: 'writeUsers',
  params: object({ ...UserParams.properties, accountId: string({ maxLength: 64, examples: ['acme'] }) }),
  response: User,
  errors: ['own_membership', 'administrator_only', 'holds_more'],
  emits: ['user_removed_from_account', 'user_deleted'],
  summary: 'End a user’s membership of the account in x-account-id, or withdraw the user’s invitation',
  read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
  decide: async (request, [member, all]) => {
    const { params, account, accountRecord, principal } = request;
    if (params.accountId !== account) throw notFound('user', params.email);
    const response = await userView(member, all, accountRecord, principal);
    return { response, ...removeMember(member, all, request) };
  },
});
