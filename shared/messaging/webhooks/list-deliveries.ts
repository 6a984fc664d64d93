import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { ListSource } from '../../table/list-source.ts';
import { webhookWorkQueue } from '../../work-queue/keys.ts';
import { workItemsOf } from '../../work-queue/list-work-items.ts';
import type { DeliveryContent } from './delivery.ts';
import type { Delivery } from './delivery-schema.ts';
import { showDelivery } from './show-delivery.ts';
import { webhooks } from './store.ts';

/** Lists the deliveries of a webhook. Throws `not_found` if the webhook does not exist. */
export function deliveriesOf(account: AccountId, webhookId: number, now: Date): ListSource<Delivery> {
  const { newest, total } = workItemsOf<DeliveryContent>(webhookWorkQueue(account, webhookId), now);
  return {
    async newest(bounds) {
      const [, found] = await inParallel([webhooks.get(account, webhookId), newest(bounds)]);
      return {
        ...found,
        items: found.items.map((workItem) => showDelivery(account, webhookId, workItem)),
      };
    },
    total,
    show: async (page) => page.map(briefly),
  };
}

const briefly = (delivery: Delivery): Delivery => ({
  ...delivery,
  attempts: delivery.attempts.map(({ response, ...attempt }) => ({
    ...attempt,
    response: response?.slice(0, 200),
  })),
});
