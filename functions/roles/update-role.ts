import { updated } from '../../events/announce.ts';
import { heldBy, readGrant, requireReach } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role, RolePatch } from '../../shared/roles/role.ts';
import { roleIn, roles } from '../../shared/roles/roles.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/roles/{id}',
    permission: 'writeRoles',
    params: RecordParams,
    body: RolePatch,
    response: Role,
    refuses: ['role_name_taken', 'permission_unknown', 'grant_exceeds_own', 'holds_more'],
    announces: ['role_permissions_updated'],
    summary: 'Change the name or the permissions of a role',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ params, body, caller, now }, all) => {
      const role = roleIn(all, params.id);
      requireReach(caller, heldBy(role));
      const permissions = body.flatPermissionsList;
      const flatPermissionsList = permissions && readGrant(permissions, caller);
      const after = revise(role, { name: body.name, flatPermissionsList }, caller.actor.user, now);
      const events = updated('role_permissions_updated', 'role', role, after);
      return { answer: after, writes: roles.replace(all, role, after), events };
    },
  },
);
