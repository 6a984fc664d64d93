import { readRecord } from '../../shared/http/record-endpoints.ts';
import { Role } from '../../shared/roles/schema.ts';
import { roles } from '../../shared/roles/store.ts';

export default readRecord(roles, {
  path: '/roles/{id}',
  permission: 'readRoles',
  response: Role,
  summary: 'Read a role',
});
