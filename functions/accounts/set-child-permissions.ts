import { givePermissions, readTypedChild } from '../../shared/child-accounts/change-child.ts';
import {
  ChildAccount,
  ChildAccountParams,
  ChildAccountPermissions,
} from '../../shared/child-accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'PUT',
  path: '/accounts/{id}/permissions',
  administratorOnly: true,
  proof: 'rights',
  params: ChildAccountParams,
  body: ChildAccountPermissions,
  response: ChildAccount,
  errors: ['permission_unknown', 'grant_exceeds_own', 'grant_exceeds_type'],
  emits: ['account_permissions_updated'],
  rights: ['account:write'],
  summary: 'Set the permissions that a child account can use',
  description:
    'At most the permissions of the account in x-account-id and of the account type. All users and API keys of the child ' +
    'account, including its administrators, lose other permissions at once. Its own child accounts follow within a minute. ' +
    'Roles and API keys keep their lists of permissions.',
  read: ({ account, params }) => readTypedChild(account, params.id),
  decide: (request, child) => givePermissions(child, request.body, request),
});
