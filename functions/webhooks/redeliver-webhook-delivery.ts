import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireShownEvent, subjectsWithReach } from '../../shared/endpoints/parent-records.ts';
import { ApiError } from '../../shared/errors.ts';
import { type DeliveryContent, deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { Delivery, DeliveryParams } from '../../shared/messaging/webhooks/delivery-schema.ts';
import { redeliveryWrites } from '../../shared/messaging/webhooks/recover.ts';
import { requireReadable } from '../../shared/messaging/webhooks/rules.ts';
import { showDelivery } from '../../shared/messaging/webhooks/show-delivery.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { getWorkItem } from '../../shared/work-queue/list-work-items.ts';

export default endpoint({
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{did}/redeliver',
  permission: 'writeWebhooks',
  reach: subjectsWithReach,
  params: DeliveryParams,
  ...emptyBody,
  response: Delivery,
  success: 'accepted',
  errors: ['grant_exceeds_own'],
  writes: true,
  summary: 'Attempt a delivery now',
  description:
    'Sends the delivery once more, with the same webhook-id. The delivery may have any status. If the delivery is waiting, its scheduled attempts do not change. The caller must have permission to read the delivery’s kind of event.',
  read: ({ account, params, now }) =>
    inParallel([
      getWorkItem<DeliveryContent>(webhookWorkQueue(account, params.id), deliveryId(params.did), now),
      webhooks.get(account, params.id),
    ]),
  decide: async (request, [workItem, webhook]) => {
    const { account, principal, params, now } = request;
    await requireShownEvent(request, params.did, new ApiError('not_found'));
    requireReadable(principal, [workItem.content.kind], webhook);
    return {
      response: showDelivery(account, webhook.id, workItem),
      writes: redeliveryWrites(webhook, workItem, now),
      events: [],
    };
  },
});
