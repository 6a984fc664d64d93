import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { removeProvisioned } from '../../shared/provisioning/change-users.ts';
import { requireScimMember } from '../../shared/provisioning/find-users.ts';
import { ScimParams } from '../../shared/provisioning/schema.ts';
import { scimTerms } from '../../shared/provisioning/scim-endpoint.ts';
import { provisioning } from '../../shared/provisioning/store.ts';
import { object } from '../../shared/schema.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'DELETE',
  path: '/scim/v2/Users/{id}',
  params: ScimParams,
  response: object({}),
  success: 'empty',
  errors: ['last_administrator'],
  emits: ['user_removed_from_account', 'user_deleted'],
  rights: ['sign-ins:keep'],
  summary: 'Remove a user from the account with SCIM',
  description:
    'Ends all access of the user to this account at once, and nothing that the user has in other accounts.',
  read: ({ account, params }) =>
    inParallel([requireScimMember(account, params.id), provisioning.find(account)]),
  decide: async (request, [member, { reassignTo }]) => ({
    response: {},
    ...(await removeProvisioned(member, reassignTo, request)),
  }),
});
