import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { withinUserLimit } from '../../shared/people/users/limit-users.ts';
import { users } from '../../shared/people/users/store.ts';
import { createProvisioned } from '../../shared/provisioning/change-users.ts';
import { showMemberOf } from '../../shared/provisioning/find-users.ts';
import { ScimQuery, ScimUser, ScimUserInput } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms, showResource } from '../../shared/provisioning/scim-endpoint.ts';
import { readScimUser } from '../../shared/provisioning/scim-user.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  proof: 'rights',
  method: 'POST',
  path: '/scim/v2/Users',
  query: ScimQuery,
  body: ScimUserInput,
  response: ScimUser,
  success: 'created',
  errors: ['scim_value_invalid', 'scim_not_unique', 'email_exists', 'already_member', 'quota_exceeded'],
  emits: ['user_created', 'user_added_to_account'],
  rights: ['sign-ins:keep'],
  summary: 'Create a user with SCIM',
  description:
    'No mail is sent: the user sets a password with POST /auth/password-reset-request. A person who belongs to another ' +
    'account is invited with a mailed token instead, and can do nothing in this account before the acceptance.',
  read: ({ account, body }) =>
    inParallel([users.findInvitedByEmailAcrossAccounts(readScimUser(body).email), readGroups(account)]),
  decide: async (request, [known, { all, groups }]) => {
    const { account, accountRecord, headers, query, body } = request;
    const limited = await withinUserLimit(account, accountRecord.limits);
    const { membership, writes, events } = await createProvisioned(readScimUser(body), known, all, request);
    const shown = showMemberOf(membership, groups, scimBase(headers));
    return { ...showResource(shown, query), writes: [...writes, ...limited], events };
  },
});
