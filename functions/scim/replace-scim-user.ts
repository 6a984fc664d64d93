import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { changeProvisioned } from '../../shared/provisioning/change-users.ts';
import { requireScimMember, showMemberOf } from '../../shared/provisioning/find-users.ts';
import { ScimParams, ScimQuery, ScimUser, ScimUserInput } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readScimUser } from '../../shared/provisioning/scim-user.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'PUT',
  path: '/scim/v2/Users/{id}',
  params: ScimParams,
  query: ScimQuery,
  body: ScimUserInput,
  response: ScimUser,
  errors: ['scim_value_invalid', 'scim_attribute_fixed', 'last_administrator'],
  emits: ['user_updated'],
  rights: ['sign-ins:keep'],
  summary: 'Replace a user with SCIM',
  description: 'An omitted `active` does not change. `"active": false` ends all access of the user at once.',
  read: ({ account, params }) => inParallel([requireScimMember(account, params.id), readGroups(account)]),
  decide: async (request, [member, { settings, groups }]) => {
    const { body, query, headers } = request;
    const { membership, writes, events } = await changeProvisioned(
      member,
      readScimUser(body),
      settings.reassignTo,
      request,
    );
    return { ...showResource(showMemberOf(membership, groups, scimBase(headers)), query), writes, events };
  },
});
