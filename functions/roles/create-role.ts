import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';
import { Role, RoleInput } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { readGrant, requireShowsNoMore } from '../../shared/security/grants.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/roles',
  permission: 'writeRoles',
  proof: 'rights',
  body: RoleInput,
  response: Role,
  success: 'created',
  errors: ['role_name_taken', 'permission_unknown', 'grant_exceeds_own', 'quota_exceeded'],
  emits: ['role_created'],
  summary: 'Create a role',
  read: ({ account }) => roles.all(account),
  decide: (request, all) => {
    const flatPermissionsList = readGrant(request.body.flatPermissionsList, request.principal);
    requireShowsNoMore(request.principal, flatPermissionsList);
    const role = { ...newRecord(request), name: request.body.name, flatPermissionsList };
    return { response: role, writes: roles.insert(all, role), events: created(roles, 'role_created', role) };
  },
});
