import { updated } from '../../events/announce.ts';
import { ApiKeyParams } from '../../shared/apikeys/api-key.ts';
import { apiKeys, publicKey } from '../../shared/apikeys/api-keys.ts';
import { readGrant } from '../../shared/auth/grants.ts';
import { PermissionList } from '../../shared/auth/permission-list.ts';
import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/apikeys/{id}/permissions',
    administratorOnly: true,
    params: ApiKeyParams,
    body: PermissionList,
    response: Message,
    refuses: ['permission_unknown'],
    announces: ['api_key_updated'],
    summary: 'Set what an API key may do',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: ({ body, caller, now }, key) => {
      const flatPermissionsList = readGrant(body.flatPermissionsList, caller);
      const after = revise(key, { flatPermissionsList }, caller.actor.user, now);
      return {
        answer: { message: `The permissions of API key ${key.apiKey} are set.` },
        writes: apiKeys.replace(key, after),
        events: updated('api_key_updated', 'api_key', publicKey(key), publicKey(after)),
      };
    },
  },
);
