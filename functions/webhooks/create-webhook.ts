import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';
import { requireApiKey } from '../../shared/messaging/webhooks/require-api-key.ts';
import {
  ownScope,
  readHappenings,
  readKinds,
  requireReadable,
  requireScoped,
  requireUrl,
} from '../../shared/messaging/webhooks/rules.ts';
import { NewWebhook, WebhookInput } from '../../shared/messaging/webhooks/schema.ts';
import { firstSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { showWebhook } from '../../shared/messaging/webhooks/show-webhook.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/webhooks',
  permission: 'writeWebhooks',
  proof: 'secrets',
  sensitive: true,
  body: WebhookInput,
  response: NewWebhook,
  success: 'created',
  oneTime: ['secret'],
  errors: ['grant_exceeds_own', 'quota_exceeded'],
  emits: ['webhook_created'],
  summary: 'Subscribe a URL to events',
  description:
    'The caller must have readEvents, or permission to read each subscribed kind. The caller must also see all records of these events. Deliveries are signed as the Standard Webhooks specification requires.',
  read: async ({ account, body }) =>
    body.externalKeyId === undefined ? undefined : requireApiKey(account, body.externalKeyId),
  decide: async (request, scopedTo) => {
    const { body, principal, now } = request;
    const events = readKinds(body.events);
    const happenings = body.happenings && readHappenings(body.happenings, events);
    requireUrl(body.url);
    const externalKeyId = scopedTo?.id ?? ownScope(principal, events);
    requireScoped({ externalKeyId }, events);
    requireReadable(principal, events, { externalKeyId });
    const record = newRecord(request);
    const { secret, secrets } = await firstSecret(record, request);
    const shape = { active: true, payload: 'full', payloadVersion: 1 } as const;
    const webhook = { ...shape, ...body, ...record, events, happenings, externalKeyId, secrets };
    return {
      response: { ...showWebhook({ webhook, health: {} }, now), secret },
      writes: webhooks.insert(webhook, request.accountRecord.limits),
      events: created(webhooks, 'webhook_created', webhooks.forEvents(webhook)),
    };
  },
});
