import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { withEffective } from '../../shared/people/roles/account-permissions.ts';
import { Role } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/roles/{id}',
  permission: 'readRoles',
  params: RecordParams,
  response: Role,
  summary: 'Read a role',
  read: ({ account, params }) => roles.get(account, params.id),
  decide: ({ principal }, role) => ({
    response: withEffective(role, role.flatPermissionsList, principal),
  }),
});
