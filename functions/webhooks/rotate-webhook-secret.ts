import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { requireReadable } from '../../shared/messaging/webhooks/rules.ts';
import { NewWebhook, SecretRotation } from '../../shared/messaging/webhooks/schema.ts';
import { rotateSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { dateTime, object, optional, recordId } from '../../shared/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  permission: 'writeWebhooks',
  proof: 'secrets',
  sensitive: true,
  params: RecordParams,
  body: SecretRotation,
  bodyOptional: true,
  response: object({
    id: recordId(),
    secret: NewWebhook.properties.secret,
    previousSecretUntil: optional(
      dateTime({ description: 'Until this time, deliveries are signed with both secrets.' }),
    ),
  }),
  oneTime: ['secret'],
  errors: ['grant_exceeds_own', 'secrets_overlap'],
  emits: ['webhook_updated'],
  destructive: true,
  summary: 'Rotate the secret of a webhook',
  description:
    'Deliveries are signed with both secrets for 24 hours. If expireNow is true, deliveries are signed with the new secret only. Another rotation within 24 hours requires expireNow. ' +
    'The caller must have permission to read every subscribed kind.',
  read: ({ account, params }) => webhooks.get(account, params.id),
  decide: async (request, before) => {
    requireReadable(request.principal, before.events, before);
    const { secrets, ...rotated } = await rotateSecret(before, request);
    const after = revise(before, { secrets }, request);
    return {
      response: { id: after.id, ...rotated },
      writes: webhooks.replace(before, after),
      events: updated(webhooks, 'webhook_updated', webhooks.forEvents(before), webhooks.forEvents(after)),
    };
  },
});
