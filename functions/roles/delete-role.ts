import { happened } from '../../events/announce.ts';
import { heldBy, requireReach } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Role } from '../../shared/roles/role.ts';
import { roleIn, roles } from '../../shared/roles/roles.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/roles/{id}',
    permission: 'writeRoles',
    params: RecordParams,
    response: Role,
    refuses: ['holds_more'],
    announces: ['role_deleted'],
    summary: 'Delete a role; whoever had it loses what it allowed',
  },
  {
    read: ({ account }) => roles.all(account),
    decide: ({ params, caller }, all) => {
      const role = roleIn(all, params.id);
      requireReach(caller, heldBy(role));
      return {
        answer: role,
        writes: roles.delete(role),
        events: happened('role_deleted', 'role', role),
      };
    },
  },
);
