import { readExpiry, requireOthersExpiry } from '../../shared/apikeys/rules.ts';
import { ApiKey, ApiKeyParams, ApiKeyPatch } from '../../shared/apikeys/schema.ts';
import { apiKeyForEvents, apiKeys, shownKey } from '../../shared/apikeys/store.ts';
import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { heldBy, requireReach } from '../../shared/security/grants.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/apikeys/{id}',
    permission: 'writeApiKeys',
    params: ApiKeyParams,
    body: ApiKeyPatch,
    response: ApiKey,
    errors: ['holds_more', 'own_expiry'],
    emits: ['api_key_updated'],
    summary: 'Change the description or the expiry of an API key',
  },
  {
    read: ({ account, params }) => apiKeys.get(account, params.id),
    decide: ({ body, principal, now }, key) => {
      requireReach(principal, heldBy(key));
      if (body.expiresAt !== undefined) requireOthersExpiry(principal, key);
      const expiresAt = body.expiresAt === undefined ? undefined : readExpiry(body.expiresAt, now);
      const after = revise(key, { description: body.description, expiresAt }, principal.actor.user, now);
      return {
        response: shownKey(after),
        writes: apiKeys.replace(key, after),
        events: updated(apiKeys, 'api_key_updated', apiKeyForEvents(key), apiKeyForEvents(after)),
      };
    },
  },
);
