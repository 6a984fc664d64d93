import { ApiKeyParams } from '../../shared/apikeys/schema.ts';
import { apiKeys } from '../../shared/apikeys/store.ts';
import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Message } from '../../shared/http/message.ts';
import { readGrant } from '../../shared/security/grants.ts';
import { PermissionList } from '../../shared/security/permission-list.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/apikeys/{id}/permissions',
    administratorOnly: true,
    params: ApiKeyParams,
    body: PermissionList,
    response: Message,
    errors: ['permission_unknown'],
    emits: ['api_key_updated'],
    summary: 'Set what an API key may do',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: (request, key) => {
      const flatPermissionsList = readGrant(request.body.flatPermissionsList, request.principal);
      const after = revise(key, { flatPermissionsList }, request);
      return {
        response: { message: `The permissions of API key ${key.apiKey} are set.` },
        writes: apiKeys.replace(key, after),
        events: updated(apiKeys, 'api_key_updated', apiKeys.forEvents(key), apiKeys.forEvents(after)),
      };
    },
  },
);
