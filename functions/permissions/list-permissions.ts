import { PermissionEntry } from '../../shared/apikeys/api-key.ts';
import { permissionCatalogue } from '../../shared/auth/permissions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { array, integer, object } from '../../shared/schema.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/permissions',
    access: 'session',
    response: object({ data: array(PermissionEntry), totalCount: integer({ examples: [1] }) }),
    summary: 'List every permission there is',
  },
  { decide: () => ({ answer: { data: [...permissionCatalogue], totalCount: permissionCatalogue.length } }) },
);
