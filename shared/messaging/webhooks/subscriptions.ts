import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { EventKind } from '../../resources/registry.ts';
import type { TransactItem } from '../../table/operations.ts';
import { currentReads, type Reads } from '../../table/read.ts';
import { webhookSubscriptionsKey } from './keys.ts';
import type { StoredWebhook } from './schema.ts';

interface WebhookSubscription {
  webhookId: number;
  active: boolean;
  /** Events from before this time are not delivered automatically. */
  since: string;
  kinds: ReadonlySet<EventKind>;
}

/**
 * A subscription as an attribute of the item that contains all subscriptions of an account. The item has at most 54 KB:
 * 20 webhooks with all 132 kinds. Reading it then costs 14 units, far less than the deliveries to 20 webhooks.
 */
interface Row {
  active: boolean;
  since: string;
  kinds: readonly EventKind[];
}

const attributeOf = (webhookId: number): string => `webhook${webhookId}`;

/** Stores each subscription in a separate attribute, so that concurrent changes do not overwrite each other. */
export const subscribe = ({ accountId, id, active, createdAt, events }: StoredWebhook): TransactItem =>
  setRow(accountId, id, 'SET #webhook = :row', {
    ':row': { active, since: createdAt, kinds: events } satisfies Row,
  });

export const unsubscribe = ({ accountId, id }: StoredWebhook): TransactItem =>
  setRow(accountId, id, 'REMOVE #webhook');

const setRow = (
  account: AccountId,
  id: number,
  UpdateExpression: string,
  values?: Record<string, Row>,
): TransactItem => ({
  operation: {
    Update: {
      Key: webhookSubscriptionsKey(account),
      UpdateExpression,
      ExpressionAttributeNames: { '#webhook': attributeOf(id) },
      ...(values && { ExpressionAttributeValues: values }),
    },
  },
  otherwise: 'conflict',
});

export async function subscriptionsOf(
  account: AccountId,
  reads: Reads = currentReads,
): Promise<WebhookSubscription[]> {
  const item = (await reads.getItem(webhookSubscriptionsKey(account))) ?? {};
  return Object.entries(item).flatMap(([name, row]) => {
    const [, id] = /^webhook(\d+)$/.exec(name) ?? [];
    if (id === undefined) return [];
    const { active, since, kinds } = row as Row;
    return [{ webhookId: Number(id), active, since, kinds: new Set(kinds) }];
  });
}

/** Finds the webhooks that receive an event. Used by fan-out and dry runs. */
export const receiversOf = async (event: Event, reads?: Reads): Promise<WebhookSubscription[]> =>
  (await subscriptionsOf(event.accountId, reads)).filter((subscription) => isFor(subscription, event));

/**
 * A test event is sent only to the tested webhook, even if the webhook is inactive or does not subscribe to
 * test events.
 */
const isFor = (subscription: WebhookSubscription, event: Event): boolean =>
  event.kind === 'webhook_test'
    ? event.subject.id === subscription.webhookId
    : subscription.active && event.occurredAt >= subscription.since && wants(subscription, event);

/**
 * Reports whether a webhook subscribes to an event. To avoid a loop, excludes events about the webhook's own
 * failures.
 */
export const wants = (
  { webhookId, kinds }: Pick<WebhookSubscription, 'webhookId' | 'kinds'>,
  { kind, subject }: Pick<Event, 'kind' | 'subject'>,
): boolean => kinds.has(kind) && !(kind === 'webhook_delivery_failed' && subject.id === webhookId);
