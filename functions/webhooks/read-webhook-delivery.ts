import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireShownEvent, subjectsWithReach } from '../../shared/endpoints/parent-records.ts';
import { ApiError } from '../../shared/errors.ts';
import type { DeliveryContent } from '../../shared/messaging/webhooks/delivery.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { Delivery, DeliveryParams } from '../../shared/messaging/webhooks/delivery-schema.ts';
import { showDelivery } from '../../shared/messaging/webhooks/show-delivery.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { getWorkItem } from '../../shared/work-queue/list-work-items.ts';

export default endpoint({
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{did}',
  permission: 'readWebhooks',
  reach: subjectsWithReach,
  params: DeliveryParams,
  response: Delivery,
  summary: 'Read a delivery with its attempts',
  read: ({ account, params, now }) =>
    getWorkItem<DeliveryContent>(webhookWorkQueue(account, params.id), deliveryId(params.did), now),
  decide: async (request, workItem) => {
    const { account, params } = request;
    await requireShownEvent(request, params.did, new ApiError('not_found'));
    return { response: showDelivery(account, params.id, workItem) };
  },
});
