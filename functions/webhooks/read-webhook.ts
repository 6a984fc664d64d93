import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Webhook } from '../../shared/messaging/webhooks/schema.ts';
import { showWebhook } from '../../shared/messaging/webhooks/show-webhook.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { waitingOf } from '../../shared/work-queue/list-work-items.ts';

export default endpoint({
  method: 'GET',
  path: '/webhooks/{id}',
  permission: 'readWebhooks',
  params: RecordParams,
  response: Webhook,
  summary: 'Read a webhook and the health of its deliveries',
  read: ({ account, params }) =>
    inParallel([webhooks.getWithHealth(account, params.id), waitingOf(webhookWorkQueue(account, params.id))]),
  decide: ({ now }, [withHealth, waiting]) => ({ response: showWebhook(withHealth, now, waiting) }),
});
