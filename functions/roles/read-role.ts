import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Role } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';

export default readRecord(roles, {
  path: '/roles/{id}',
  permission: 'readRoles',
  response: Role,
  summary: 'Read a role',
});
