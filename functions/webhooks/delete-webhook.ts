import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { happened } from '../../shared/events/emit.ts';
import { Webhook } from '../../shared/messaging/webhooks/schema.ts';
import { showWebhook } from '../../shared/messaging/webhooks/show-webhook.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/webhooks/{id}',
  permission: 'writeWebhooks',
  params: RecordParams,
  response: Webhook,
  emits: ['webhook_deleted'],
  summary: 'Delete a webhook',
  description: 'Waiting deliveries are cancelled.',
  read: ({ account, params }) => webhooks.getWithHealth(account, params.id),
  decide: ({ now }, withHealth) => ({
    response: showWebhook(withHealth, now),
    writes: webhooks.delete(withHealth.webhook),
    events: happened(webhooks, 'webhook_deleted', withHealth.webhook),
  }),
});
