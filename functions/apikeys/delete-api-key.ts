import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { ApiKey, ApiKeyParams } from '../../shared/people/apikeys/schema.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { heldBy, requireHoldsAll } from '../../shared/security/grants.ts';

export default deleteRecord(apiKeys, {
  path: '/apikeys/{id}',
  permission: 'writeApiKeys',
  params: ApiKeyParams,
  response: ApiKey,
  errors: ['holds_more'],
  emits: 'api_key_deleted',
  permit: ({ principal }, key) => requireHoldsAll(principal, heldBy(key)),
  summary: 'Delete an API key and end its sessions immediately',
});
