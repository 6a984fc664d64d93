import { created } from '../../events/announce.ts';
import { readGrant } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role, RoleInput } from '../../shared/roles/role.ts';
import { roles } from '../../shared/roles/roles.ts';
import { mintId } from '../../shared/table/mint.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/roles',
    permission: 'writeRoles',
    body: RoleInput,
    response: Role,
    success: 'created',
    refuses: ['role_name_taken', 'permission_unknown', 'grant_exceeds_own', 'quota_exceeded'],
    announces: ['role_created'],
    summary: 'Create a role',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ body, account, caller, now }, all) => {
      const flatPermissionsList = readGrant(body.flatPermissionsList, caller);
      const role = {
        ...newRecord({ id: mintId(now), account, by: caller.actor.user, now }),
        name: body.name,
        flatPermissionsList,
      };
      return { answer: role, writes: roles.insert(all, role), events: created('role_created', 'role', role) };
    },
  },
);
