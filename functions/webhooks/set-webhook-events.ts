import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { EventKindField } from '../../shared/events/schema.ts';
import { changeWebhook } from '../../shared/messaging/webhooks/rules.ts';
import { Subscription, Webhook } from '../../shared/messaging/webhooks/schema.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { array, object, recordId } from '../../shared/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PUT',
  path: '/webhooks/{id}/events',
  permission: 'writeWebhooks',
  params: RecordParams,
  body: Subscription,
  response: object({
    id: recordId(),
    events: array(EventKindField),
    happenings: Webhook.properties.happenings,
  }),
  errors: ['grant_exceeds_own'],
  emits: ['webhook_updated'],
  summary: 'Set the kinds of events that a webhook receives',
  description:
    'Duplicates are removed. An empty list ends all subscriptions. If `happenings` is omitted, the webhook receives all events `no_event_name`. Waiting deliveries of a removed kind are cancelled. ' +
    'The caller must have permission to read the added kinds.',
  read: ({ account, params }) => webhooks.get(account, params.id),
  decide: (request, before) => {
    const { events, happenings = null } = request.body;
    const after = changeWebhook(before, { events, happenings }, request);
    return {
      response: { id: after.id, events: after.events, happenings: after.happenings },
      writes: webhooks.replace(before, after),
      events: updated(webhooks, 'webhook_updated', webhooks.forEvents(before), webhooks.forEvents(after)),
    };
  },
});
