import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { changeRole } from '../../shared/people/roles/change-role.ts';
import { Role, RolePatch } from '../../shared/people/roles/schema.ts';
import { roleIn, roles } from '../../shared/people/roles/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PATCH',
  path: '/roles/{id}',
  permission: 'writeRoles',
  proof: [{ purpose: 'rights', ifBody: ['flatPermissionsList'] }],
  params: RecordParams,
  body: RolePatch,
  response: Role,
  errors: ['role_name_taken', 'permission_unknown', 'grant_exceeds_own', 'holds_more'],
  emits: ['role_permissions_updated'],
  summary: 'Change the name or the permissions of a role',
  read: ({ account }) => roles.all(account),
  decide: async (request, all) => {
    await request.checkReadOnly(() => roleIn(all, request.params.id));
    return changeRole(request, all);
  },
});
