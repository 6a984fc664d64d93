import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/roles.ts';
import { memberByEmail } from '../../shared/users/member.ts';
import { removeMember } from '../../shared/users/remove-member.ts';
import { User, UserParams } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/users/{email}',
    permission: 'writeUsers',
    params: UserParams,
    response: User,
    refuses: ['own_membership', 'administrator_only', 'holds_more'],
    announces: ['user_removed_from_account', 'user_deleted'],
    summary: 'Remove a user from the account',
    description: 'With its last account the user itself goes.',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ accountRecord, caller, now }, [member, all]) => ({
      answer: await userView(member, all, accountRecord, caller),
      ...removeMember(member, all, caller, now),
    }),
  },
);
