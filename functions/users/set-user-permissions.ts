import { updated } from '../../events/announce.ts';
import { readGrant } from '../../shared/auth/grants.ts';
import { PermissionList } from '../../shared/auth/permission-list.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/roles.ts';
import { revise } from '../../shared/table/revise.ts';
import { memberByEmail, requireReachOf } from '../../shared/users/member.ts';
import { visibleMember } from '../../shared/users/new-user.ts';
import { User, UserParams } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';
import { memberships } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/users/{email}/permissions',
    permission: 'writeUsers',
    params: UserParams,
    body: PermissionList,
    response: User,
    refuses: ['permission_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    announces: ['user_permissions_set_directly'],
    summary: 'Set the permissions a user has beside those of its roles',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ body, accountRecord, caller, now }, [{ user, membership }, all]) => {
      requireReachOf(caller, membership, all);
      const flatPermissionsList = readGrant(body.flatPermissionsList, caller);
      const after = revise(membership, { flatPermissionsList }, caller.actor.user, now);
      const [from, to] = [visibleMember(membership), visibleMember(after)];
      return {
        answer: await userView({ user, membership: after }, all, accountRecord, caller),
        writes: memberships.replace(membership, after),
        events: updated('user_permissions_set_directly', 'user', from, to),
      };
    },
  },
);
