import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { changeRole } from '../../shared/people/roles/change-role.ts';
import { PermissionList } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { ChangedRole, previewReach } from '../../shared/people/users/preview-reach.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PUT',
  path: '/roles/{id}/permissions',
  permission: 'writeRoles',
  proof: 'rights',
  params: RecordParams,
  body: PermissionList,
  response: ChangedRole,
  errors: ['permission_unknown', 'grant_exceeds_own', 'holds_more'],
  emits: ['role_permissions_updated'],
  runsLists: true,
  weigh: (_, dryRun) => (dryRun ? weightOfWindow : 1),
  summary: 'Set the permissions of a role',
  description:
    'The answer of a dry run contains the number of records that each affected user gains and loses, as GET ' +
    '/users/{email}/reach counts them. It counts the records of at most 20 users. A dry run counts as ten requests of the ' +
    'caller’s limit.',
  read: ({ account }) => roles.all(account),
  decide: async (request, all) => {
    const { response: role, ...changes } = changeRole(request, all);
    if (!request.dryRun) return { response: role, ...changes };
    const after = { ...all, roles: { ...all.roles, [role.id]: role } };
    return {
      response: { ...role, reach: await previewReach(request, role.id, { before: all, after }) },
      ...changes,
    };
  },
});
