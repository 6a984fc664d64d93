import { created } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { mintId } from '../../shared/id/mint.ts';
import { Role, RoleInput } from '../../shared/roles/schema.ts';
import { roles } from '../../shared/roles/store.ts';
import { readGrant } from '../../shared/security/grants.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/roles',
    permission: 'writeRoles',
    body: RoleInput,
    response: Role,
    success: 'created',
    errors: ['role_name_taken', 'permission_unknown', 'grant_exceeds_own', 'quota_exceeded'],
    emits: ['role_created'],
    summary: 'Create a role',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ body, account, principal, now }, all) => {
      const flatPermissionsList = readGrant(body.flatPermissionsList, principal);
      const role = {
        ...newRecord({ id: mintId(now), account, by: principal.actor.user, now }),
        name: body.name,
        flatPermissionsList,
      };
      return {
        response: role,
        writes: roles.insert(all, role),
        events: created(roles, 'role_created', role),
      };
    },
  },
);
