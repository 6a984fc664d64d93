import { endpoint } from '../../shared/http/endpoint.ts';
import { grantRoles } from '../../shared/roles/grant-roles.ts';
import { roles } from '../../shared/roles/roles.ts';
import { array, object, string } from '../../shared/schema.ts';
import { roleNames } from '../../shared/sessions/session-view.ts';
import { revise } from '../../shared/table/revise.ts';
import { memberByEmail, requireReachOf } from '../../shared/users/member.ts';
import { User, UserParams } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';
import { memberships } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/users/{email}/roles',
    permission: 'writeUsers',
    params: UserParams,
    body: object({
      roles: array(string({ maxLength: 100 }), { maxItems: 100, examples: [['Sales agent']] }),
    }),
    response: User,
    refuses: ['role_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    announces: ['user_roles_updated'],
    summary: 'Set the roles of a user in this account',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ body, accountRecord, caller, now }, [member, all]) => {
      const { user, membership } = member;
      requireReachOf(caller, membership, all);
      const roleIds = grantRoles(all, body.roles, caller);
      const after = revise(membership, { roleIds }, caller.actor.user, now);
      const [from, to] = [roleNames(membership, all), roleNames(after, all)];
      const subject = { type: 'user', id: after.id, version: after.version };
      return {
        answer: await userView({ user, membership: after }, all, accountRecord, caller),
        writes: memberships.replace(membership, after),
        events: after === membership ? [] : [{ kind: 'user_roles_updated', subject, data: { from, to } }],
      };
    },
  },
);
