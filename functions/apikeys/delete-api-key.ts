import { happened } from '../../events/announce.ts';
import { ApiKey, ApiKeyParams } from '../../shared/apikeys/api-key.ts';
import { apiKeys, shownKey } from '../../shared/apikeys/api-keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/apikeys/{id}',
    permission: 'writeApiKeys',
    params: ApiKeyParams,
    response: ApiKey,
    announces: ['api_key_deleted'],
    summary: 'Delete an API key and end its sessions at once',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: (_, key) => ({
      answer: shownKey(key),
      writes: apiKeys.delete(key),
      events: happened('api_key_deleted', 'api_key', key),
    }),
  },
);
