import { listing } from '../../shared/endpoints/listing.ts';
import { Webhook } from '../../shared/messaging/webhooks/schema.ts';
import { showWebhook } from '../../shared/messaging/webhooks/show-webhook.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { shortListSource } from '../../shared/table/list-source.ts';

export default listing(
  {
    path: '/webhooks',
    permission: 'readWebhooks',
    item: Webhook,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      url: ['filter', 'search', 'sort'],
      description: ['search'],
      active: ['filter', 'sort'],
      events: ['filter'],
      payload: ['filter'],
      createdBy: ['filter'],
    },
    summary: 'List webhooks',
  },
  ({ account, now }) =>
    shortListSource(async () => (await webhooks.all(account)).map((webhook) => showWebhook(webhook, now))),
);
