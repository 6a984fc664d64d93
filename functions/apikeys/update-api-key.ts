import { updated } from '../../events/announce.ts';
import { ApiKey, ApiKeyParams, ApiKeyPatch } from '../../shared/apikeys/api-key.ts';
import { apiKeys, publicKey, shownKey } from '../../shared/apikeys/api-keys.ts';
import { readExpiry, requireOthersExpiry } from '../../shared/apikeys/rules.ts';
import { heldBy, requireReach } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/apikeys/{id}',
    permission: 'writeApiKeys',
    params: ApiKeyParams,
    body: ApiKeyPatch,
    response: ApiKey,
    refuses: ['holds_more', 'own_expiry'],
    announces: ['api_key_updated'],
    summary: 'Change the description or the expiry of an API key',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: ({ body, caller, now }, key) => {
      requireReach(caller, heldBy(key));
      if (body.expiresAt !== undefined) requireOthersExpiry(caller, key);
      const expiresAt = body.expiresAt === undefined ? undefined : readExpiry(body.expiresAt, now);
      const after = revise(key, { description: body.description, expiresAt }, caller.actor.user, now);
      return {
        answer: shownKey(after),
        writes: apiKeys.replace(key, after),
        events: updated('api_key_updated', 'api_key', publicKey(key), publicKey(after)),
      };
    },
  },
);
