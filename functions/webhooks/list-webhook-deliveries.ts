import { listing } from '../../shared/endpoints/listing.ts';
import { subjectsWithReach } from '../../shared/endpoints/parent-records.ts';
import { hiddenWithParents } from '../../shared/endpoints/read-shown.ts';
import { Delivery } from '../../shared/messaging/webhooks/delivery-schema.ts';
import { deliveriesOf } from '../../shared/messaging/webhooks/list-deliveries.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default listing(
  {
    path: '/webhooks/{id}/deliveries',
    permission: 'readWebhooks',
    reach: subjectsWithReach,
    parents: hiddenWithParents(({ id }: { id: number }) => ({ type: 'event', id })),
    params: RecordParams,
    item: Delivery,
    fields: {
      createdAt: ['sort'],
      status: ['filter', 'sort'],
      event: ['filter', 'search', 'sort'],
      messageId: ['search'],
      nextAttemptAt: ['sort'],
    },
    summary: 'List the deliveries to a webhook',
    description:
      'Lists the deliveries of events of the last 30 days, newest first. Shows the first 200 characters of each response.',
  },
  ({ account, params, now }) => deliveriesOf(account, params.id, now),
);
