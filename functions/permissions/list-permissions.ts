import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { PermissionEntry } from '../../shared/people/apikeys/schema.ts';
import { permissionsOfAccount } from '../../shared/people/roles/account-permissions.ts';
import { array, integer, object } from '../../shared/schema.ts';
import { describePermissions } from '../../shared/security/permissions.ts';

export default endpoint({
  method: 'GET',
  path: '/permissions',
  access: 'session',
  ofNamedAccount: true,
  response: object({ data: array(PermissionEntry), totalCount: integer({ examples: [1] }) }),
  errors: ['account_forbidden'],
  summary: 'List the permissions that an account can use',
  description:
    'Returns the permissions that roles, users and API keys can have. A child account can often use only some of them. ' +
    'Without x-account-id, the account is the caller’s primary account.',
  decide: ({ principal }) => {
    const data = describePermissions(permissionsOfAccount(principal));
    return { response: { data, totalCount: data.length } };
  },
});
