import type { AccountLimits } from '../../accounts/schema.ts';
import { ApiError, notFound } from '../../errors.ts';
import { hidden } from '../../events/changes.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { quotaKey } from '../../table/keys.ts';
import {
  addToCounter,
  addWithinQuota,
  checkAt,
  checkCount,
  deleteIfVersion,
  deleteItem,
  putIfAbsent,
  putIfVersion,
  type Write,
} from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { webhookHealthKey, webhookKey, webhookPartition } from './keys.ts';
import type { StoredHealth, StoredWebhook } from './schema.ts';
import { subscribe, subscribeFirst, unsubscribe } from './subscriptions.ts';

const mostWebhooks = 20;

export interface WebhookWithHealth {
  webhook: StoredWebhook;
  health: StoredHealth;
}

/** The webhooks of an account are in one small partition. A list request reads the whole partition. */
export const webhooks = {
  subject: 'webhook' as const,

  /** If a webhook has no description, its label is only the host, because the rest of the URL may be confidential. */
  describe: ({ description, url }: Pick<StoredWebhook, 'description' | 'url'>) => ({
    label: description ?? new URL(url).host,
  }),

  /** Events show that the secrets changed, but do not contain the secrets. */
  forEvents: ({ secrets, ...webhook }: StoredWebhook) => ({
    ...webhook,
    secret: hidden(secrets.map(({ number }) => number)),
  }),

  async find(account: AccountId, id: number): Promise<StoredWebhook | undefined> {
    const item = await getItem(webhookKey(account, id));
    return item && recordOf<StoredWebhook>(item);
  },

  /** Throws `not_found`. */
  async get(account: AccountId, id: number): Promise<StoredWebhook> {
    const webhook = await this.find(account, id);
    if (!webhook) throw notFound('webhook', id);
    return webhook;
  },

  /** Throws `not_found` and `webhook_inactive`. */
  async getActive(account: AccountId, id: number): Promise<StoredWebhook> {
    const webhook = await this.get(account, id);
    if (!webhook.active) throw new ApiError('webhook_inactive');
    return webhook;
  },

  /** Reads the webhook and its health with one query, because the two items are adjacent in the table. */
  async findWithHealth(account: AccountId, id: number): Promise<WebhookWithHealth | undefined> {
    const sortKey = { from: webhookKey(account, id).sk, to: webhookHealthKey(account, id).sk };
    const items = await queryItems({ partition: webhookPartition(account), sortKey });
    const [webhook, health] = [items.find((item) => !isHealth(item)), items.find(isHealth)];
    return webhook && { webhook: recordOf(webhook), health: health ? recordOf(health) : {} };
  },

  /** Throws `not_found`. */
  async getWithHealth(account: AccountId, id: number): Promise<WebhookWithHealth> {
    const found = await this.findWithHealth(account, id);
    if (!found) throw notFound('webhook', id);
    return found;
  },

  /** Newest first. */
  async all(account: AccountId): Promise<WebhookWithHealth[]> {
    const items = await queryItems({ partition: webhookPartition(account), newestFirst: true });
    const healths = new Map(items.filter(isHealth).map((item) => [item.sk, recordOf<StoredHealth>(item)]));
    return items
      .filter((item) => !isHealth(item))
      .map((item) => recordOf<StoredWebhook>(item))
      .map((webhook) => ({ webhook, health: healths.get(webhookHealthKey(account, webhook.id).sk) ?? {} }));
  },

  /**
   * Throws `quota_exceeded` if the account already has 20 webhooks, or as many as its limits allow, and `account_closed`
   * if the account was closed meanwhile.
   */
  insert: (webhook: StoredWebhook, { webhooks: most = mostWebhooks }: AccountLimits = {}): Write[] => [
    putIfAbsent(itemOf(webhook)),
    addWithinQuota(quotaKey(webhook.accountId, 'WEBHOOK'), Math.min(most, mostWebhooks)),
    subscribeFirst(webhook),
  ],

  replace(before: StoredWebhook, after: StoredWebhook): Write[] {
    if (before === after) return [];
    const reset = resetsHealth(before, after)
      ? [deleteItem(webhookHealthKey(after.accountId, after.id))]
      : [];
    return [putIfVersion(itemOf(after), before.version), subscribe(after), ...reset];
  },

  /** Fails the transaction if the webhook changed since it was read. */
  unchanged: ({ accountId, id, version }: StoredWebhook): Write =>
    checkAt(webhookKey(accountId, id), version),

  /** Fails the transaction if the account has another number of webhooks. */
  unchangedCount: (account: AccountId, count: number): Write =>
    checkCount(quotaKey(account, 'WEBHOOK'), count),

  /** Leaves no tombstone, because deliveries expire by themselves and ids are never reused. */
  delete: (webhook: StoredWebhook): Write[] => [
    deleteIfVersion(webhookKey(webhook.accountId, webhook.id), webhook.version),
    deleteItem(webhookHealthKey(webhook.accountId, webhook.id)),
    addToCounter(quotaKey(webhook.accountId, 'WEBHOOK'), -1),
    unsubscribe(webhook),
  ],
};

/** Reports whether a change resets the health, because the URL changed or the webhook became active. */
export const resetsHealth = (before: StoredWebhook, after: StoredWebhook): boolean =>
  before.url !== after.url || (after.active && !before.active);

const itemOf = (webhook: StoredWebhook): Item => ({
  ...webhookKey(webhook.accountId, webhook.id),
  type: 'webhook',
  ...webhook,
});

const isHealth = ({ type }: Item): boolean => type === 'webhook-health';
