import { Message } from '../../shared/endpoints/message.ts';
import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { ApiKeyParams, type StoredApiKey } from '../../shared/people/apikeys/schema.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { PermissionList } from '../../shared/people/roles/schema.ts';
import { readGrant } from '../../shared/security/grants.ts';

const show = ({ apiKey }: StoredApiKey) => ({ message: `The permissions of API key ${apiKey} are set.` });

export default patchRecord(
  { ...apiKeys, show },
  {
    path: '/apikeys/{id}/permissions',
    administratorOnly: true,
    proof: 'rights',
    params: ApiKeyParams,
    body: PermissionList,
    response: Message,
    errors: ['permission_unknown', 'grant_exceeds_own'],
    emits: 'api_key_updated',
    set: ({ body, principal }) => ({
      flatPermissionsList: readGrant(body.flatPermissionsList, principal),
      statesReveal: true as const,
    }),
    summary: 'Set the permissions of an API key',
  },
);
