import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { applyPatch, readOperations } from '../../shared/provisioning/apply-patch.ts';
import { changeProvisioned } from '../../shared/provisioning/change-users.ts';
import { requireScimMember, showMemberOf } from '../../shared/provisioning/find-users.ts';
import { ScimParams, ScimPatch, ScimQuery, ScimUser } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { patchedUser, readScimUser } from '../../shared/provisioning/scim-user.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'PATCH',
  path: '/scim/v2/Users/{id}',
  params: ScimParams,
  query: ScimQuery,
  body: ScimPatch,
  response: ScimUser,
  errors: [
    'scim_value_invalid',
    'scim_path_invalid',
    'scim_target_missing',
    'scim_attribute_fixed',
    'last_administrator',
  ],
  emits: ['user_updated'],
  rights: ['sign-ins:keep'],
  summary: 'Change a user with SCIM',
  description: 'Operations on attributes that GET /scim/v2/Schemas does not list are ignored.',
  read: ({ account, params }) => inParallel([requireScimMember(account, params.id), readGroups(account)]),
  decide: async (request, [member, { settings, groups }]) => {
    const { body, query, headers } = request;
    const base = scimBase(headers);
    const before = showMemberOf(member.membership, groups, base);
    const wanted = readScimUser(applyPatch(patchedUser, before, readOperations(body)));
    const changed = await changeProvisioned(member, wanted, settings.reassignTo, request);
    const { membership, writes, events } = changed;
    return { ...showResource(showMemberOf(membership, groups, base), query), writes, events };
  },
});
