import { created } from '../../events/announce.ts';
import { ApiKey, ApiKeyInput } from '../../shared/apikeys/api-key.ts';
import { apiKeys, publicKey, shownKey } from '../../shared/apikeys/api-keys.ts';
import { newApiKey, readExpiry } from '../../shared/apikeys/rules.ts';
import { readGrant } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { object, string } from '../../shared/schema.ts';
import { mintId } from '../../shared/table/mint.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/apikeys',
    access: 'home',
    permission: 'writeApiKeys',
    body: ApiKeyInput,
    response: object({
      ...ApiKey.properties,
      apiSecret: string({
        description: 'Shown this once.',
        examples: ['mo_sk_7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWzYc'],
      }),
    }),
    success: 'created',
    oneTime: ['apiSecret'],
    refuses: ['administrator_only', 'permission_unknown', 'quota_exceeded'],
    announces: ['api_key_created'],
    summary: 'Create an API key',
    description:
      'Only an administrator may send flatPermissionsList; a key made by another key has no permissions.',
  },
  {
    decide: ({ body, account, caller, now }) => {
      if (body.flatPermissionsList && !caller.administrator) throw new Refusal('administrator_only');
      const { key, secret } = newApiKey({
        id: mintId(now),
        account,
        description: body.description,
        expiresAt: readExpiry(body.expiresAt ?? null, now) ?? undefined,
        flatPermissionsList: readGrant(body.flatPermissionsList ?? [], caller),
        by: caller.actor.user,
        now,
      });
      return {
        answer: { ...shownKey(key), apiSecret: secret },
        writes: apiKeys.insert(key),
        events: created('api_key_created', 'api_key', publicKey(key)),
      };
    },
  },
);
