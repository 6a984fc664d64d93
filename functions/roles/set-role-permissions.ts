import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { changeRole } from '../../shared/people/roles/change-role.ts';
import { PermissionList, Role } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PUT',
  path: '/roles/{id}/permissions',
  permission: 'writeRoles',
  params: RecordParams,
  body: PermissionList,
  response: Role,
  errors: ['permission_unknown', 'grant_exceeds_own', 'holds_more'],
  emits: ['role_permissions_updated'],
  summary: 'Set the permissions of a role',
  read: ({ account }) => roles.all(account),
  decide: (request, all) => changeRole(request, all),
});
