import { endpoint } from '../../shared/http/endpoint.ts';
import { Role } from '../../shared/roles/schema.ts';
import { roleIn, roles } from '../../shared/roles/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/roles/{id}',
    permission: 'readRoles',
    params: RecordParams,
    response: Role,
    summary: 'Read a role',
  },
  {
    read: async ({ account, params }) => roleIn(await roles.all(account), params.id),
    decide: (_, role) => ({ response: role }),
  },
);
