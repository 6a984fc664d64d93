import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readAllMembers } from '../../shared/people/users/store.ts';
import { groupIn, membersOfGroup, showScimGroup } from '../../shared/provisioning/change-groups.ts';
import { ScimGroup, ScimParams, ScimQuery } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  method: 'GET',
  path: '/scim/v2/Groups/{id}',
  params: ScimParams,
  query: ScimQuery,
  response: ScimGroup,
  readsMany: true,
  summary: 'Read a group with SCIM',
  read: ({ account }) => inParallel([readGroups(account), readAllMembers(account)]),
  decide: ({ params, query, headers }, [found, members]) => {
    const group = groupIn(found, params.id);
    return showResource(showScimGroup(group, membersOfGroup(group, members), scimBase(headers)), query);
  },
});
