import { happened } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role } from '../../shared/roles/schema.ts';
import { roleIn, roles } from '../../shared/roles/store.ts';
import { heldBy, requireReach } from '../../shared/security/grants.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/roles/{id}',
    permission: 'writeRoles',
    params: RecordParams,
    response: Role,
    errors: ['holds_more'],
    emits: ['role_deleted'],
    summary: 'Delete a role; whoever had it loses what it allowed',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ params, principal }, all) => {
      const role = roleIn(all, params.id);
      requireReach(principal, heldBy(role));
      return {
        response: role,
        writes: roles.delete(role),
        events: happened(roles, 'role_deleted', role),
      };
    },
  },
);
