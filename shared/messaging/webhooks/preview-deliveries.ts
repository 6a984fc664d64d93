import type { Event } from '../../events/envelope.ts';
import { recordOf } from '../../table/item.ts';
import type { Reads } from '../../table/read.ts';
import { webhookKey } from './keys.ts';
import type { StoredWebhook } from './schema.ts';
import { receiversOf } from './subscriptions.ts';

export interface PreviewedDelivery {
  id: number;
  url: string;
}

/** Lists the webhooks to which fan-out would deliver each event, in the order of the events, oldest webhook first. */
export async function previewDeliveries(
  events: readonly Event[],
  reads: Reads,
): Promise<PreviewedDelivery[]> {
  const previewed: PreviewedDelivery[] = [];
  for (const event of events) {
    const receivers = (await receiversOf(event, reads)).sort((one, other) => one.webhookId - other.webhookId);
    const found = await reads.getItems(
      receivers.map(({ webhookId }) => webhookKey(event.accountId, webhookId)),
    );
    previewed.push(
      ...found.flatMap((item) => {
        if (!item) return [];
        const { id, url } = recordOf<StoredWebhook>(item);
        return [{ id, url }];
      }),
    );
  }
  return previewed;
}
