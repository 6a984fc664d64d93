import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readAllMembers } from '../../shared/people/users/store.ts';
import { removeGroup } from '../../shared/provisioning/change-groups.ts';
import { ScimParams } from '../../shared/provisioning/schema.ts';
import { scimTerms } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { object } from '../../shared/schema.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'DELETE',
  path: '/scim/v2/Groups/{id}',
  params: ScimParams,
  response: object({}),
  success: 'empty',
  commitsParts: true,
  emits: ['role_deleted', 'user_roles_updated', 'user_updated'],
  happenings: ['provisioning_updated'],
  summary: 'Delete a group with SCIM',
  description:
    'The members lose the role or the team of the group. The role is deleted if SCIM created it; other roles and teams remain.',
  read: ({ account }) => inParallel([readGroups(account), readAllMembers(account)]),
  decide: async (request, [found, everybody]) => {
    await removeGroup(found, everybody, request);
    return { response: {} };
  },
});
