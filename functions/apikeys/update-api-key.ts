import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { expiryOfKey, requireOthersExpiry } from '../../shared/people/apikeys/rules.ts';
import { ApiKey, ApiKeyParams, ApiKeyPatch } from '../../shared/people/apikeys/schema.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { heldBy, requireHoldsAll } from '../../shared/security/grants.ts';

export default patchRecord(apiKeys, {
  path: '/apikeys/{id}',
  permission: 'writeApiKeys',
  params: ApiKeyParams,
  body: ApiKeyPatch,
  response: ApiKey,
  errors: ['holds_more', 'own_expiry'],
  emits: 'api_key_updated',
  set: (request, key) => {
    const { body, principal } = request;
    const { description, expiresAt } = body;
    requireHoldsAll(principal, heldBy(key));
    if (expiresAt !== undefined) requireOthersExpiry(principal, key);
    return { description, expiresAt: expiresAt === undefined ? undefined : expiryOfKey(expiresAt, request) };
  },
  summary: 'Change the description or the expiry of an API key',
});
