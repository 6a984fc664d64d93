import { type Run, webhookBacklog } from '../backlogs/backlog.ts';
import type { NewEntry } from '../backlogs/entry.ts';
import { openEntry } from '../backlogs/open-entry.ts';
import type { Event } from '../events/envelope.ts';
import { sideBySide } from '../table/side-by-side.ts';
import { type DeliveryContent, deliveryEntryId } from './delivery.ts';
import { type Subscription, subscriptionsOf } from './subscriptions.ts';

/** A delivery stays on record for so long, in milliseconds, from when it came about. */
const keptFor = 30 * 86_400_000;

/** Makes an event a delivery to each webhook that is to get it. Idempotent: a delivery has the id of its event. */
export async function fanOut(event: Event, run: Run): Promise<void> {
  const subscriptions = await subscriptionsOf(event.accountId);
  const wanting = subscriptions.filter((subscription) => isFor(subscription, event));
  await sideBySide(
    wanting.map(({ webhookId }) =>
      openEntry(
        webhookBacklog(event.accountId, webhookId),
        deliveryOf(event, new Date(event.occurredAt)),
        run,
      ),
    ),
  );
}

/** A test goes to the webhook that is tested, whatever that subscribes to, and active or not. */
const isFor = (subscription: Subscription, event: Event): boolean =>
  event.kind === 'webhook_test'
    ? event.subject.id === subscription.webhookId
    : subscription.active && event.occurredAt >= subscription.since && wants(subscription, event);

/** Whether a webhook subscribes to an event. It hears of its own failures nowhere: that would never end. */
export const wants = (
  { webhookId, kinds }: Pick<Subscription, 'webhookId' | 'kinds'>,
  { kind, subject }: Pick<Event, 'kind' | 'subject'>,
): boolean => kinds.has(kind) && !(kind === 'webhook_delivery_failed' && subject.id === webhookId);

/** The delivery of an event, from an instant on. */
export const deliveryOf = (
  { id, kind }: Pick<Event, 'id' | 'kind'>,
  due: Date,
): NewEntry<DeliveryContent> => ({
  id: deliveryEntryId(id),
  due,
  content: { eventId: id, kind },
  expires: new Date(due.getTime() + keptFor),
});
