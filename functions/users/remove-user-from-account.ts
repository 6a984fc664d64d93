import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { roles } from '../../shared/roles/roles.ts';
import { object, string } from '../../shared/schema.ts';
import { memberByEmail } from '../../shared/users/member.ts';
import { removeMember } from '../../shared/users/remove-member.ts';
import { User, UserParams } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/users/{email}/accounts/{accountId}',
    permission: 'writeUsers',
    params: object({ ...UserParams.properties, accountId: string({ maxLength: 64, examples: ['acme'] }) }),
    response: User,
    refuses: ['own_membership', 'administrator_only', 'holds_more'],
    announces: ['user_removed_from_account', 'user_deleted'],
    summary: 'End a user’s membership of the account that x-account-id names, or take its invitation back',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ params, account, accountRecord, caller, now }, [member, all]) => {
      if (params.accountId !== account) throw new Refusal('not_found');
      const answer = await userView(member, all, accountRecord, caller);
      return { answer, ...removeMember(member, all, caller, now) };
    },
  },
);
