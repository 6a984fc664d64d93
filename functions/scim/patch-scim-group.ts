import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { applyPatch, readOperations } from '../../shared/provisioning/apply-patch.ts';
import {
  changeGroup,
  idsInOperations,
  patchedGroup,
  readEverybody,
  readScimGroup,
  showScimGroup,
} from '../../shared/provisioning/change-groups.ts';
import type { Json } from '../../shared/provisioning/evaluate-filter.ts';
import { ScimGroup, ScimParams, ScimPatch, ScimQuery } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'PATCH',
  path: '/scim/v2/Groups/{id}',
  params: ScimParams,
  query: ScimQuery,
  body: ScimPatch,
  response: ScimGroup,
  commitsParts: true,
  errors: [
    'scim_value_invalid',
    'scim_path_invalid',
    'scim_target_missing',
    'scim_attribute_fixed',
    'scim_not_unique',
  ],
  emits: ['user_roles_updated', 'user_updated'],
  happenings: ['provisioning_updated'],
  summary: 'Change a group with SCIM',
  read: ({ account, body }) =>
    inParallel([readGroups(account), readEverybody(account, idsInOperations(readOperations(body)))]),
  decide: async (request, [found, everybody]) => {
    const { body, query, headers } = request;
    const patch = (before: Json) => readScimGroup(applyPatch(patchedGroup, before, readOperations(body)));
    const { group, members } = await changeGroup(patch, found, everybody, request);
    return showResource(showScimGroup(group, members, scimBase(headers)), query);
  },
});
