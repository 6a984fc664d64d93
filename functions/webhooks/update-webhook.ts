import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { changeWebhook } from '../../shared/messaging/webhooks/rules.ts';
import { Webhook, WebhookPatch } from '../../shared/messaging/webhooks/schema.ts';
import { showWebhook } from '../../shared/messaging/webhooks/show-webhook.ts';
import { resetsHealth, webhooks } from '../../shared/messaging/webhooks/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { markDueWrites } from '../../shared/work-queue/enqueue.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';

export default endpoint({
  method: 'PATCH',
  path: '/webhooks/{id}',
  permission: 'writeWebhooks',
  params: RecordParams,
  body: WebhookPatch,
  response: Webhook,
  record: Webhook,
  errors: ['grant_exceeds_own'],
  emits: ['webhook_updated'],
  summary: 'Change the given fields of a webhook',
  description:
    'To change the URL or payload format, or to activate the webhook, the caller must have permission to read every ' +
    'subscribed kind. To add kinds, the caller must have permission to read the added kinds.',
  read: ({ account, params }) => webhooks.getWithHealth(account, params.id),
  decide: async (request, { webhook: before, health }) => {
    await request.checkReadOnly(() => showWebhook({ webhook: before, health }, request.now));
    const after = changeWebhook(before, request.body, request);
    const workQueue = webhookWorkQueue(after.accountId, after.id);
    const resets = resetsHealth(before, after);
    return {
      response: {
        ...showWebhook({ webhook: after, health: resets ? {} : health }, request.now),
      },
      // If the webhook becomes inactive, its work queue must run to cancel the waiting deliveries. If its URL changes or
      // it becomes active, the pause of the former endpoint ends.
      writes: [
        ...webhooks.replace(before, after),
        ...(before.active && !after.active ? markDueWrites(workQueue, request.now) : []),
        ...(resets && after.active ? markDueWrites(workQueue, request.now, { resumed: true }) : []),
      ],
      events: updated(webhooks, 'webhook_updated', webhooks.forEvents(before), webhooks.forEvents(after)),
    };
  },
});
