import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { recoveryOpened } from '../../shared/messaging/webhooks/recover.ts';
import { readSpan } from '../../shared/messaging/webhooks/recovery-span.ts';
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
    since: dateTime({ description: 'At most 30 days back.' }),
    until: optional(dateTime({ description: 'Left out: now.' })),
  }),
  response: Message,
  success: 'accepted',
  errors: ['webhook_inactive', 'grant_exceeds_own'],
  writes: true,
  summary: 'Deliver what a webhook has not had',
  description:
    'From the event log: all that it subscribes to now, also from before it was made and from while it was inactive. ' +
    'Takes the permission to read every kind that is subscribed to.',
  read: ({ account, params }) => webhooks.getActive(account, params.id),
  decide: ({ body, principal, now }, webhook) => {
    requireReadable(principal, webhook.events);
    return {
      response: { message: 'What the webhook has not had is on its way; the deliveries show it.' },
      writes: [webhooks.unchanged(webhook), ...recoveryOpened(webhook, readSpan(body, now), now)],
      events: [],
    };
  },
});
