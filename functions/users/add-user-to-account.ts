import { created } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { grantRoles } from '../../shared/roles/grant-roles.ts';
import { roles } from '../../shared/roles/roles.ts';
import { array, boolean, object, optional, string } from '../../shared/schema.ts';
import { addMember, strangerByEmail } from '../../shared/users/add-member.ts';
import { visibleMember } from '../../shared/users/new-user.ts';
import { User, UserParams } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/users/{email}/accounts',
    permission: 'writeUsers',
    params: UserParams,
    body: object({
      accountAdmin: optional(boolean({ default: false })),
      roles: optional(array(string({ maxLength: 100, examples: ['Sales agent'] }), { maxItems: 100 })),
    }),
    bodyOptional: true,
    response: User,
    success: 'created',
    refuses: ['already_member', 'role_unknown', 'grant_exceeds_own', 'administrator_only', 'quota_exceeded'],
    announces: ['user_added_to_account'],
    summary: 'Invite a user who exists elsewhere to the account that x-account-id names',
    description:
      'The membership grants nothing, and shows of the person no more than the email, until the person accepts it.',
  },
  {
    read: ({ account, params }) => Promise.all([strangerByEmail(account, params.email), roles.all(account)]),
    decide: async ({ body, account, accountRecord, caller, now }, [user, all]) => {
      if (body.accountAdmin && !caller.administrator) throw new Refusal('administrator_only');
      const roleIds = grantRoles(all, body.roles ?? [], caller);
      const { accountAdmin } = body;
      const wanted = { account, by: caller.actor.user, now, accountAdmin, roleIds };
      const { member, writes } = addMember(user, wanted);
      return {
        answer: await userView(member, all, accountRecord, caller),
        writes,
        events: created('user_added_to_account', 'user', visibleMember(member.membership)),
      };
    },
  },
);
