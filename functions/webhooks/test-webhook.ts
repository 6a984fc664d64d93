import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { happened } from '../../shared/events/emit.ts';
import { requireReadable } from '../../shared/messaging/webhooks/rules.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/webhooks/{id}/test',
  permission: 'writeWebhooks',
  params: RecordParams,
  ...emptyBody,
  response: Message,
  success: 'accepted',
  errors: ['grant_exceeds_own'],
  emits: ['webhook_test'],
  summary: 'Send a webhook_test event to a webhook',
  description:
    'Sends a test event only to this webhook, even if the webhook is inactive. The caller must have permission to read every subscribed kind.',
  read: ({ account, params }) => webhooks.get(account, params.id),
  decide: ({ principal }, webhook) => {
    requireReadable(principal, webhook.events, webhook);
    return {
      response: { message: 'A webhook_test event is being delivered. See GET /webhooks/{id}/deliveries.' },
      writes: [webhooks.unchanged(webhook)],
      events: happened(webhooks, 'webhook_test', webhook),
    };
  },
});
