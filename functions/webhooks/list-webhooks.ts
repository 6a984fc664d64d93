import { listing } from '../../shared/http/listing.ts';
import { listedWhole } from '../../shared/table/list-source.ts';
import { Webhook } from '../../shared/webhooks/schema.ts';
import { showWebhook } from '../../shared/webhooks/show-webhook.ts';
import { webhooks } from '../../shared/webhooks/store.ts';

export default listing(
  {
    path: '/webhooks',
    permission: 'readWebhooks',
    item: Webhook,
    filters: ['active', 'events', 'url', 'payload', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'url', 'active'],
    searchable: ['url', 'description'],
    summary: 'List webhooks',
  },
  ({ account, now }) =>
    listedWhole(async () => (await webhooks.all(account)).map((watched) => showWebhook(watched, now))),
);
