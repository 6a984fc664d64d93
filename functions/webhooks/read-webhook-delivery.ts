import { endpoint } from '../../shared/endpoints/endpoint.ts';
import type { DeliveryContent } from '../../shared/messaging/webhooks/delivery.ts';
import { deliveryEntryId } from '../../shared/messaging/webhooks/delivery.ts';
import { Delivery, DeliveryParams } from '../../shared/messaging/webhooks/delivery-schema.ts';
import { showDelivery } from '../../shared/messaging/webhooks/show-delivery.ts';
import { webhookBacklog } from '../../shared/work-queue/backlog.ts';
import { getEntry } from '../../shared/work-queue/list-entries.ts';

export default endpoint({
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{did}',
  permission: 'readWebhooks',
  params: DeliveryParams,
  response: Delivery,
  summary: 'Read a delivery with every attempt',
  read: ({ account, params, now }) =>
    getEntry<DeliveryContent>(webhookBacklog(account, params.id), deliveryEntryId(params.did), now),
  decide: ({ account, params }, entry) => ({ response: showDelivery(account, params.id, entry) }),
});
