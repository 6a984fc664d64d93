import { webhookBacklog } from '../../shared/backlogs/backlog.ts';
import { getEntry } from '../../shared/backlogs/list-entries.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { DeliveryContent } from '../../shared/webhooks/delivery.ts';
import { deliveryEntryId } from '../../shared/webhooks/delivery.ts';
import { Delivery, DeliveryParams } from '../../shared/webhooks/delivery-schema.ts';
import { showDelivery } from '../../shared/webhooks/show-delivery.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{did}',
    permission: 'readWebhooks',
    params: DeliveryParams,
    response: Delivery,
    summary: 'Read a delivery with every attempt',
  },
  {
    read: ({ account, params, now }) =>
      getEntry<DeliveryContent>(webhookBacklog(account, params.id), deliveryEntryId(params.did), now),
    decide: ({ account, params }, entry) => ({ response: showDelivery(account, params.id, entry) }),
  },
);
