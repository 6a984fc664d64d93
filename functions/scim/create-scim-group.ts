import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { createGroup, readScimGroup, showScimGroup } from '../../shared/provisioning/change-groups.ts';
import { ScimGroup, ScimGroupInput, ScimQuery } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'POST',
  path: '/scim/v2/Groups',
  query: ScimQuery,
  body: ScimGroupInput,
  response: ScimGroup,
  success: 'created',
  commitsParts: true,
  errors: ['scim_value_invalid', 'scim_not_unique', 'role_name_taken', 'quota_exceeded'],
  emits: ['role_created', 'user_roles_updated', 'user_updated'],
  happenings: ['provisioning_updated'],
  summary: 'Create a group with SCIM',
  description:
    'Creates a role without permissions that has the name of the group. An administrator then adds permissions to the role. ' +
    'To give the members of a group an existing role or a team, send PUT /provisioning before the identity provider sends the group.',
  read: ({ account }) => readGroups(account),
  decide: async (request, found) => {
    const { body, query, headers } = request;
    const { group, members } = await createGroup(readScimGroup(body), found, request);
    return {
      ...showResource(showScimGroup(group, members, scimBase(headers)), query),
      writes: [],
      events: [],
    };
  },
});
