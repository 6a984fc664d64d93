import type { Event } from '../../events/envelope.ts';
import type { Reads } from '../../table/read.ts';
import { type Subscription, subscriptionsOf } from './subscriptions.ts';

/** Finds the webhooks that get an event. Fan-out and dry runs use it. */
export const receiversOf = async (event: Event, reads?: Reads): Promise<Subscription[]> =>
  (await subscriptionsOf(event.accountId, reads)).filter((subscription) => isFor(subscription, event));

/** A test event goes only to the tested webhook, active or not, without a subscription. */
const isFor = (subscription: Subscription, event: Event): boolean =>
  event.kind === 'webhook_test'
    ? event.subject.id === subscription.webhookId
    : subscription.active && event.occurredAt >= subscription.since && wants(subscription, event);

/** Reports whether a webhook subscribes to an event. It never gets events about its own failures, to avoid a loop. */
export const wants = (
  { webhookId, kinds }: Pick<Subscription, 'webhookId' | 'kinds'>,
  { kind, subject }: Pick<Event, 'kind' | 'subject'>,
): boolean => kinds.has(kind) && !(kind === 'webhook_delivery_failed' && subject.id === webhookId);
