import { updated } from '../../events/announce.ts';
import { heldBy, readGrant, requireReach } from '../../shared/auth/grants.ts';
import { PermissionList } from '../../shared/auth/permission-list.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role } from '../../shared/roles/role.ts';
import { roleIn, roles } from '../../shared/roles/roles.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/roles/{id}/permissions',
    permission: 'writeRoles',
    params: RecordParams,
    body: PermissionList,
    response: Role,
    refuses: ['permission_unknown', 'grant_exceeds_own', 'holds_more'],
    announces: ['role_permissions_updated'],
    summary: 'Set what a role allows',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ params, body, caller, now }, all) => {
      const role = roleIn(all, params.id);
      requireReach(caller, heldBy(role));
      const flatPermissionsList = readGrant(body.flatPermissionsList, caller);
      const after = revise(role, { flatPermissionsList }, caller.actor.user, now);
      const events = updated('role_permissions_updated', 'role', role, after);
      return { answer: after, writes: roles.replace(all, role, after), events };
    },
  },
);
