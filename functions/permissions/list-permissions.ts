import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { PermissionEntry } from '../../shared/people/apikeys/schema.ts';
import { permissionCatalogue } from '../../shared/resources/derived.ts';
import { array, integer, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/permissions',
  access: 'session',
  response: object({ data: array(PermissionEntry), totalCount: integer({ examples: [1] }) }),
  summary: 'List all permissions',
  description:
    'Returns the permissions that roles, users and API keys can have. They are the same in all accounts.',
  decide: () => ({ response: { data: [...permissionCatalogue], totalCount: permissionCatalogue.length } }),
});
