import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  changeGroup,
  readEverybody,
  readScimGroup,
  showScimGroup,
} from '../../shared/provisioning/change-groups.ts';
import { ScimGroup, ScimGroupInput, ScimParams, ScimQuery } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'PUT',
  path: '/scim/v2/Groups/{id}',
  params: ScimParams,
  query: ScimQuery,
  body: ScimGroupInput,
  response: ScimGroup,
  commitsParts: true,
  errors: ['scim_value_invalid', 'scim_not_unique'],
  emits: ['user_roles_updated', 'user_updated'],
  happenings: ['provisioning_updated'],
  summary: 'Replace a group with SCIM',
  description: 'Users who are no longer members lose the role or the team of the group.',
  read: ({ account, body }) =>
    inParallel([readGroups(account), readEverybody(account, readScimGroup(body).members)]),
  decide: async (request, [found, everybody]) => {
    const { body, query, headers } = request;
    const wanted = () => readScimGroup(body);
    const { group, members } = await changeGroup(wanted, found, everybody, request);
    return showResource(showScimGroup(group, members, scimBase(headers)), query);
  },
});
