import { endpoint } from '../../shared/http/endpoint.ts';
import { grantRoles } from '../../shared/roles/grant-roles.ts';
import { roles } from '../../shared/roles/store.ts';
import { array, object, string } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';
import { memberByEmail, requireReachOf } from '../../shared/users/find-member.ts';
import { roleNames } from '../../shared/users/rules.ts';
import { User, UserParams } from '../../shared/users/schema.ts';
import { userView } from '../../shared/users/show-user.ts';
import { memberships } from '../../shared/users/store.ts';

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
    errors: ['role_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    emits: ['user_roles_updated'],
    summary: 'Set the roles of a user in this account',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ body, accountRecord, principal, now }, [member, all]) => {
      const { user, membership } = member;
      requireReachOf(principal, membership, all);
      const roleIds = grantRoles(all, body.roles, principal);
      const after = revise(membership, { roleIds }, principal.actor.user, now);
      const [from, to] = [roleNames(membership, all), roleNames(after, all)];
      const subject = { type: 'user', id: after.id, version: after.version };
      return {
        response: await userView({ user, membership: after }, all, accountRecord, principal),
        writes: memberships.replace(membership, after),
        events: after === membership ? [] : [{ kind: 'user_roles_updated', subject, data: { from, to } }],
      };
    },
  },
);
