import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role } from '../../shared/roles/schema.ts';
import { roleIn, roles } from '../../shared/roles/store.ts';
import { heldBy, readGrant, requireReach } from '../../shared/security/grants.ts';
import { PermissionList } from '../../shared/security/permission-list.ts';
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
    errors: ['permission_unknown', 'grant_exceeds_own', 'holds_more'],
    emits: ['role_permissions_updated'],
    summary: 'Set what a role allows',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ params, body, principal, now }, all) => {
      const role = roleIn(all, params.id);
      requireReach(principal, heldBy(role));
      const flatPermissionsList = readGrant(body.flatPermissionsList, principal);
      const after = revise(role, { flatPermissionsList }, principal.actor.user, now);
      const events = updated(roles, 'role_permissions_updated', role, after);
      return { response: after, writes: roles.replace(all, role, after), events };
    },
  },
);
