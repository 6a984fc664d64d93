import type { Event } from '../../events/envelope.ts';
import type { Reads } from '../../table/read.ts';
import { type Subscription, subscriptionsOf } from './subscriptions.ts';

/** The webhooks that are to get an event: fan-out and dry runs ask here. */
export const receiversOf = async (event: Event, reads?: Reads): Promise<Subscription[]> =>
  (await subscriptionsOf(event.accountId, reads)).filter((subscription) => isFor(subscription, event));

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
