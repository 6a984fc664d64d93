import type { AccountId } from '../../../shared/id/account-id.ts';
import type { DeliveryContent } from '../../../shared/messaging/webhooks/delivery.ts';
import { showDelivery } from '../../../shared/messaging/webhooks/show-delivery.ts';
import { showWebhook } from '../../../shared/messaging/webhooks/show-webhook.ts';
import { webhooks } from '../../../shared/messaging/webhooks/store.ts';
import { webhookWorkQueue } from '../../../shared/work-queue/keys.ts';
import { waitingOf, workItemsOf } from '../../../shared/work-queue/list-work-items.ts';

/** The console lists at most this number of deliveries of a webhook, the newest ones. */
const mostDeliveries = 100;

/** Reads the webhooks of an account with their health, in the form in which the API returns them. */
export async function readWebhooks(account: AccountId, now: Date) {
  const all = await webhooks.all(account);
  return Promise.all(
    all.map(async (one) => showWebhook(one, now, await waitingOf(webhookWorkQueue(account, one.webhook.id)))),
  );
}

/** Reads a webhook with its newest deliveries. Returns undefined if the webhook does not exist. */
export async function readDeliveries(account: AccountId, id: number, now: Date) {
  const webhook = (await readWebhooks(account, now)).find((one) => one.id === id);
  if (!webhook) return undefined;
  const workQueue = webhookWorkQueue(account, id);
  const { items } = await workItemsOf<DeliveryContent>(workQueue, now).newest({ limit: mostDeliveries });
  return { webhook, deliveries: items.map((item) => showDelivery(account, id, item)) };
}
