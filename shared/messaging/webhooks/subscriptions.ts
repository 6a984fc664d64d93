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
  /** If set, only events of the records that this API key sent are delivered. */
  keyId?: number;
}

/**
 * A subscription as an attribute of the item that contains all subscriptions of an account. The item has at most 54 KB:
 * 20 webhooks with all 132 kinds. Reading it then costs 14 units, far less than the deliveries to 20 webhooks.
 */
interface Row {
  active: boolean;
  since: string;
  kinds: readonly EventKind[];
  keyId?: number;
}

const attributeOf = (webhookId: number): string => `webhook${webhookId}`;

/** Stores each subscription in a separate attribute, so that concurrent changes do not overwrite each other. */
export const subscribe = (webhook: StoredWebhook): TransactItem => {
  const { accountId, id, active, createdAt: since, events: kinds, externalKeyId: keyId } = webhook;
  const row: Row = { active, since, kinds, ...(keyId !== undefined && { keyId }) };
  return setRow(accountId, id, 'SET #webhook = :row', { ':row': row });
};

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
    const { kinds, ...rest } = row as Row;
    return [{ ...rest, webhookId: Number(id), kinds: new Set(kinds) }];
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
 * failures. A webhook of a key gets only events of the records that the key sent.
 */
export const wants = (
  { webhookId, kinds, keyId }: Pick<WebhookSubscription, 'webhookId' | 'kinds' | 'keyId'>,
  { kind, subject, data }: Pick<Event, 'kind' | 'subject' | 'data'>,
): boolean =>
  kinds.has(kind) &&
  !(kind === 'webhook_delivery_failed' && subject.id === webhookId) &&
  (keyId === undefined || ('keyId' in data && data.keyId === keyId));
