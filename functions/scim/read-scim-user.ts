import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireScimMember, showMemberOf } from '../../shared/provisioning/find-users.ts';
import { ScimParams, ScimQuery, ScimUser } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  method: 'GET',
  path: '/scim/v2/Users/{id}',
  params: ScimParams,
  query: ScimQuery,
  response: ScimUser,
  rights: ['emails:find'],
  summary: 'Read a user with SCIM',
  read: ({ account, params }) => inParallel([requireScimMember(account, params.id), readGroups(account)]),
  decide: ({ query, headers }, [{ membership }, { groups }]) =>
    showResource(showMemberOf(membership, groups, scimBase(headers)), query),
});
