import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { readSpan, recoveryWrites } from '../../shared/messaging/webhooks/recover.ts';
import { requireReadable } from '../../shared/messaging/webhooks/rules.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { dateTime, object, optional } from '../../shared/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/webhooks/{id}/recover',
  permission: 'writeWebhooks',
  params: RecordParams,
  body: object({
    since: dateTime({ description: 'At most 30 days ago.' }),
    until: optional(dateTime({ description: 'Default: now.' })),
  }),
  response: Message,
  success: 'accepted',
  errors: ['webhook_inactive', 'grant_exceeds_own'],
  writes: true,
  summary: 'Deliver the events that a webhook missed',
  description:
    'Delivers all events of the log that match the current subscription and were not delivered, including events that ' +
    'occurred before the webhook was created or while it was inactive. The caller must have permission to read every subscribed kind.',
  read: ({ account, params }) => webhooks.getActive(account, params.id),
  decide: ({ body, principal, now }, webhook) => {
    requireReadable(principal, webhook.events, webhook);
    return {
      response: { message: 'The missed events are being delivered. See GET /webhooks/{id}/deliveries.' },
      writes: [webhooks.unchanged(webhook), ...recoveryWrites(webhook, readSpan(body, now), now)],
      events: [],
    };
  },
});
