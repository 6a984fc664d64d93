import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/store.ts';
import { memberByEmail } from '../../shared/users/find-member.ts';
import { removeMember } from '../../shared/users/remove-member.ts';
import { User, UserParams } from '../../shared/users/schema.ts';
import { userView } from '../../shared/users/show-user.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/users/{email}',
    permission: 'writeUsers',
    params: UserParams,
    response: User,
    errors: ['own_membership', 'administrator_only', 'holds_more'],
    emits: ['user_removed_from_account', 'user_deleted'],
    summary: 'Remove a user from the account',
    description: 'With its last account the user itself goes.',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ accountRecord, principal, now }, [member, all]) => ({
      response: await userView(member, all, accountRecord, principal),
      ...removeMember(member, all, principal, now),
    }),
  },
);
