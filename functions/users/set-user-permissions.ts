import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/store.ts';
import { readGrant } from '../../shared/security/grants.ts';
import { PermissionList } from '../../shared/security/permission-list.ts';
import { revise } from '../../shared/table/revise.ts';
import { memberByEmail, requireReachOf } from '../../shared/users/find-member.ts';
import { visibleMember } from '../../shared/users/make-user.ts';
import { User, UserParams } from '../../shared/users/schema.ts';
import { userView } from '../../shared/users/show-user.ts';
import { memberships, users } from '../../shared/users/store.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/users/{email}/permissions',
    permission: 'writeUsers',
    params: UserParams,
    body: PermissionList,
    response: User,
    errors: ['permission_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    emits: ['user_permissions_set_directly'],
    summary: 'Set the permissions a user has beside those of its roles',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ body, accountRecord, principal, now }, [{ user, membership }, all]) => {
      requireReachOf(principal, membership, all);
      const flatPermissionsList = readGrant(body.flatPermissionsList, principal);
      const after = revise(membership, { flatPermissionsList }, principal.actor.user, now);
      const [from, to] = [visibleMember(membership), visibleMember(after)];
      return {
        response: await userView({ user, membership: after }, all, accountRecord, principal),
        writes: memberships.replace(membership, after),
        events: updated(users, 'user_permissions_set_directly', from, to),
      };
    },
  },
);
