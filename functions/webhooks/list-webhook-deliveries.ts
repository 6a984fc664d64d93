import { listing } from '../../shared/endpoints/listing.ts';
import { Delivery } from '../../shared/messaging/webhooks/delivery-schema.ts';
import { deliveriesOf } from '../../shared/messaging/webhooks/list-deliveries.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default listing(
  {
    path: '/webhooks/{id}/deliveries',
    permission: 'readWebhooks',
    params: RecordParams,
    item: Delivery,
    filters: ['status', 'event'],
    sorts: ['createdAt', 'status', 'event', 'nextAttemptAt'],
    searchable: ['event', 'messageId'],
    summary: 'List the deliveries to a webhook',
    description: 'Of the last 30 days, by the age of their events. Of each response it shows 200 characters.',
  },
  ({ account, params, now }) => deliveriesOf(account, params.id, now),
);
