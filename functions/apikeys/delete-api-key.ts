import { happened } from '../../events/announce.ts';
import { ApiKey, ApiKeyParams } from '../../shared/apikeys/api-key.ts';
import { apiKeys, shownKey } from '../../shared/apikeys/api-keys.ts';
import { heldBy, requireReach } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/apikeys/{id}',
    permission: 'writeApiKeys',
    params: ApiKeyParams,
    response: ApiKey,
    refuses: ['holds_more'],
    announces: ['api_key_deleted'],
    summary: 'Delete an API key and end its sessions at once',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: ({ caller }, key) => {
      requireReach(caller, heldBy(key));
      return {
        answer: shownKey(key),
        writes: apiKeys.delete(key),
        events: happened('api_key_deleted', 'api_key', key),
      };
    },
  },
);
