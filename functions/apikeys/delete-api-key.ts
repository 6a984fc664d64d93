import { ApiKey, ApiKeyParams } from '../../shared/apikeys/schema.ts';
import { apiKeys, shownKey } from '../../shared/apikeys/store.ts';
import { happened } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { heldBy, requireReach } from '../../shared/security/grants.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/apikeys/{id}',
    permission: 'writeApiKeys',
    params: ApiKeyParams,
    response: ApiKey,
    errors: ['holds_more'],
    emits: ['api_key_deleted'],
    summary: 'Delete an API key and end its sessions at once',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: ({ principal }, key) => {
      requireReach(principal, heldBy(key));
      return {
        response: shownKey(key),
        writes: apiKeys.delete(key),
        events: happened(apiKeys, 'api_key_deleted', key),
      };
    },
  },
);
