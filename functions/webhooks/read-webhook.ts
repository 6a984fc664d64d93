import { webhookBacklog } from '../../shared/backlogs/backlog.ts';
import { waitingOf } from '../../shared/backlogs/list-entries.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { Webhook } from '../../shared/webhooks/schema.ts';
import { showWebhook } from '../../shared/webhooks/show-webhook.ts';
import { webhooks } from '../../shared/webhooks/store.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/webhooks/{id}',
    permission: 'readWebhooks',
    params: RecordParams,
    response: Webhook,
    summary: 'Read a webhook and how its deliveries fare',
  },
  {
    read: ({ account, params }) =>
      sideBySide([webhooks.watched(account, params.id), waitingOf(webhookBacklog(account, params.id))]),
    decide: ({ now }, [watched, waiting]) => ({ response: showWebhook(watched, now, waiting) }),
  },
);
