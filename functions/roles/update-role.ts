import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role, RolePatch } from '../../shared/roles/schema.ts';
import { roleIn, roles } from '../../shared/roles/store.ts';
import { heldBy, readGrant, requireReach } from '../../shared/security/grants.ts';
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
    errors: ['role_name_taken', 'permission_unknown', 'grant_exceeds_own', 'holds_more'],
    emits: ['role_permissions_updated'],
    summary: 'Change the name or the permissions of a role',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ params, body, principal, now }, all) => {
      const role = roleIn(all, params.id);
      requireReach(principal, heldBy(role));
      const permissions = body.flatPermissionsList;
      const flatPermissionsList = permissions && readGrant(permissions, principal);
      const after = revise(role, { name: body.name, flatPermissionsList }, principal.actor.user, now);
      const events = updated(roles, 'role_permissions_updated', role, after);
      return { response: after, writes: roles.replace(all, role, after), events };
    },
  },
);
