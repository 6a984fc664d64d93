import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { currentReads } from '../../table/read.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import { webhookWorkQueue } from '../../work-queue/keys.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { NewWorkItem } from '../../work-queue/work-item.ts';
import { type DeliveryContent, deliveryId } from './delivery.ts';
import { receiversOf } from './subscriptions.ts';

const keptFor = 30 * 86_400_000;

/** Enqueues a delivery of an event to each subscribed webhook. Idempotent: a delivery has the id of its event. */
export async function enqueueDeliveries(event: Event, run: Run, reads = currentReads): Promise<void> {
  const receivers = await receiversOf(event, reads);
  await inParallel(
    receivers.map(({ webhookId, limited }) =>
      enqueue(
        webhookWorkQueue(event.accountId, webhookId),
        deliveryOf(event, new Date(event.occurredAt), limited),
        run,
      ),
    ),
  );
}

export function deliveryOf(
  event: Pick<Event, 'id' | 'kind' | 'data'>,
  due: Date,
  limited = false,
): NewWorkItem<DeliveryContent> {
  const { id, kind } = event;
  const happening = happeningOf(event);
  return {
    id: deliveryId(id),
    due,
    content: { eventId: id, kind, ...(happening && { happening }), ...(limited && { limited }) },
    expires: new Date(due.getTime() + keptFor),
  };
}
