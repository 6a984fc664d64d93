import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Role } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { heldBy, requireHoldsAll, requireKeepsLimits } from '../../shared/security/grants.ts';

export default deleteRecord(roles, {
  path: '/roles/{id}',
  permission: 'writeRoles',
  response: Role,
  errors: ['holds_more'],
  emits: 'role_deleted',
  permit: ({ principal }, role) => {
    requireHoldsAll(principal, heldBy(role));
    requireKeepsLimits(principal, role.flatPermissionsList, []);
  },
  summary: 'Delete a role; users with this role lose its permissions',
});
