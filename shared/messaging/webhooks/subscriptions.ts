import { ApiError } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { EventKind, Happening } from '../../resources/registry.ts';
import { accountAllows, permissionsToRead } from '../../security/read-permission.ts';
import type { Item } from '../../table/item.ts';
import type { TransactItem, Write } from '../../table/operations.ts';
import { currentReads, type Reads } from '../../table/read.ts';
import { webhookSubscriptionsKey } from './keys.ts';
import type { StoredWebhook } from './schema.ts';

interface WebhookSubscription {
  webhookId: number;
  active: boolean;
  /** Events from before this time are not delivered automatically. */
  since: string;
  kinds: ReadonlySet<EventKind>;
  /** If set, only these events of the kind `no_event_name` are delivered. */
  happenings?: readonly Happening[];
  /** If set, only events of the records that this API key sent are delivered. */
  keyId?: number;
}

/**
 * A subscription as an attribute of the item that contains all subscriptions of an account. The item has at most 66 KB:
 * 20 webhooks with all 132 kinds and all happenings. Reading it then costs 17 units, far less than the deliveries to 20
 * webhooks.
 */
interface Row {
  active: boolean;
  since: string;
  kinds: readonly EventKind[];
  happenings?: readonly Happening[];
  keyId?: number;
}

const attributeOf = (webhookId: number): string => `webhook${webhookId}`;

const rowOf = (webhook: StoredWebhook): Row => {
  const { active, createdAt: since, events: kinds, happenings, externalKeyId: keyId } = webhook;
  return { active, since, kinds, ...(happenings && { happenings }), ...(keyId !== undefined && { keyId }) };
};

/** Stores each subscription in a separate attribute, so that concurrent changes do not overwrite each other. */
export const subscribe = (webhook: StoredWebhook): TransactItem =>
  setAttribute(webhook.accountId, attributeOf(webhook.id), rowOf(webhook));

/** Like `subscribe`, for a new webhook. Throws `account_closed` if the account was closed meanwhile. */
export const subscribeFirst = (webhook: StoredWebhook): TransactItem => ({
  operation: {
    Update: {
      Key: webhookSubscriptionsKey(webhook.accountId),
      UpdateExpression: 'SET #webhook = :row',
      ConditionExpression: 'attribute_not_exists(#closed)',
      ExpressionAttributeNames: { '#webhook': attributeOf(webhook.id), '#closed': closedAttribute },
      ExpressionAttributeValues: { ':row': rowOf(webhook) },
    },
  },
  otherwise: new ApiError('account_closed'),
});

export const unsubscribe = ({ accountId, id }: StoredWebhook): TransactItem =>
  setAttribute(accountId, attributeOf(id), undefined);

/** Returns the write that sets the permissions of an account. Its webhooks get only events that it may read. */
export const limitSubscriptions = (account: AccountId, permissions: readonly string[]): Write =>
  setAttribute(account, permissionsAttribute, permissions);

/** Returns the write that marks an account as closed or open. A closed account gets no new webhooks. */
export const closeSubscriptions = (account: AccountId, closed: boolean): Write =>
  setAttribute(account, closedAttribute, closed ? true : undefined);

/** Sets an attribute of the item with the subscriptions. Removes it if the value is undefined. */
const setAttribute = (account: AccountId, name: string, value: unknown): TransactItem => ({
  operation: {
    Update: {
      Key: webhookSubscriptionsKey(account),
      UpdateExpression: value === undefined ? 'REMOVE #name' : 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
    },
  },
  otherwise: 'conflict',
});

const permissionsAttribute = 'accountPermissions';
const closedAttribute = 'accountClosed';

/** The subscriptions of an account, and the permissions that the account can use. */
interface Subscriptions {
  subscriptions: WebhookSubscription[];
  permissions: AccountPermissions;
}

/** Undefined means all permissions: the account is no child account. */
type AccountPermissions = readonly string[] | undefined;

async function readSubscriptions(account: AccountId, reads: Reads): Promise<Subscriptions> {
  const item: Partial<Item> = (await reads.getItem(webhookSubscriptionsKey(account))) ?? {};
  const permissions = item[permissionsAttribute] as AccountPermissions;
  const subscriptions = Object.entries(item).flatMap(([name, row]) => {
    const [, id] = /^webhook(\d+)$/.exec(name) ?? [];
    if (id === undefined) return [];
    const { kinds, ...rest } = row as Row;
    return [{ ...rest, webhookId: Number(id), kinds: new Set(kinds) }];
  });
  return { subscriptions, permissions };
}

export const subscriptionsOf = async (account: AccountId): Promise<WebhookSubscription[]> =>
  (await readSubscriptions(account, currentReads)).subscriptions;

/** Reads the permissions that an account can use now. */
export const permissionsNow = async (account: AccountId): Promise<AccountPermissions> =>
  (await readSubscriptions(account, currentReads)).permissions;

/** A webhook that receives an event. `limited`: the permissions of its account can change. */
interface Receiver extends WebhookSubscription {
  limited: boolean;
}

/** Finds the webhooks that receive an event. Used by fan-out and dry runs. */
export async function receiversOf(event: Event, reads: Reads = currentReads): Promise<Receiver[]> {
  const { subscriptions, permissions } = await readSubscriptions(event.accountId, reads);
  return subscriptions
    .filter((subscription) => isFor(subscription, event) && isAllowed(subscription, event, permissions))
    .map((subscription) => ({ ...subscription, limited: permissions !== undefined }));
}

/** Reports whether the account may read an event. A webhook of a key gets events of the records that the key sent. */
export const isAllowed = (
  { keyId }: Pick<WebhookSubscription, 'keyId'>,
  event: Pick<Event, 'subject' | 'data'>,
  permissions: AccountPermissions,
): boolean => accountAllows(permissions, keyId === undefined ? permissionsToRead(event) : ['useExternalApi']);

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
  { webhookId, kinds, happenings, keyId }: Omit<WebhookSubscription, 'active' | 'since'>,
  { kind, subject, data }: Pick<Event, 'kind' | 'subject' | 'data'>,
): boolean =>
  kinds.has(kind) &&
  includesHappening(happenings, { kind, happening: happeningOf({ kind, data }) }) &&
  !(kind === 'webhook_delivery_failed' && subject.id === webhookId) &&
  (keyId === undefined || ('keyId' in data && data.keyId === keyId));

/** Reports whether a subscription to some happenings contains an event. Without a list, it contains all events. */
export const includesHappening = (
  happenings: readonly Happening[] | undefined,
  { kind, happening }: { kind: EventKind; happening?: Happening },
): boolean =>
  kind !== 'no_event_name' ||
  happenings === undefined ||
  (happening !== undefined && happenings.includes(happening));
