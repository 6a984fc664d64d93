import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { created } from '../../shared/events/emit.ts';
import { expiryOfKey, newApiKey } from '../../shared/people/apikeys/rules.ts';
import { ApiKey, ApiKeyInput } from '../../shared/people/apikeys/schema.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { credential, object, optional } from '../../shared/schema.ts';
import { bearerKeyOf } from '../../shared/security/credential.ts';
import { readGrant } from '../../shared/security/grants.ts';

export default endpoint({
  method: 'POST',
  path: '/apikeys',
  access: 'home',
  permission: 'writeApiKeys',
  proof: 'keys',
  body: ApiKeyInput,
  response: object({
    ...ApiKey.properties,
    apiSecret: credential({
      description: 'Returned only in this response.',
      examples: ['mo_sk_7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWzYc'],
    }),
    provisioningToken: optional(
      credential({
        description:
          'The bearer token for SCIM, if the key has the permission provisionUsers. Returned only in this response.',
        examples: [
          'mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf.mo_sk_7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWzYc',
        ],
      }),
    ),
  }),
  success: 'created',
  oneTime: ['apiSecret', 'provisioningToken'],
  errors: ['administrator_only', 'permission_unknown', 'grant_exceeds_own', 'quota_exceeded'],
  emits: ['api_key_created'],
  summary: 'Create an API key',
  description:
    'Only administrators may send flatPermissionsList. A key that is created without this list has no permissions.',
  decide: (request) => {
    const { body, principal } = request;
    if (body.flatPermissionsList && !principal.administrator) throw new ApiError('administrator_only');
    const expiresAt = expiryOfKey(body.expiresAt ?? null, request) ?? undefined;
    const flatPermissionsList = readGrant(body.flatPermissionsList ?? [], principal);
    const fields = { description: body.description, expiresAt, flatPermissionsList };
    const { key, secret } = newApiKey(fields, request);
    return {
      response: {
        ...apiKeys.show(key),
        apiSecret: secret,
        ...(flatPermissionsList.includes('provisionUsers') && {
          provisioningToken: bearerKeyOf(key.apiKey, secret),
        }),
      },
      writes: apiKeys.insert(key, request.accountRecord.limits),
      events: created(apiKeys, 'api_key_created', apiKeys.forEvents(key)),
    };
  },
});
