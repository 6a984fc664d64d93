import { ApiError, notFound } from '../../errors.ts';
import { hidden } from '../../events/changes.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { quotaKey } from '../../table/keys.ts';
import {
  addToCounter,
  addWithinQuota,
  checkAt,
  deleteIfVersion,
  deleteItem,
  putIfAbsent,
  putIfVersion,
  type Write,
} from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { webhookHealthKey, webhookKey, webhookPartition } from './keys.ts';
import type { StoredHealth, StoredWebhook } from './schema.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';

/** An account has at most this many. */
const mostWebhooks = 20;

/** A webhook and what its attempts say of it. */
export interface WatchedWebhook {
  webhook: StoredWebhook;
  health: StoredHealth;
}

/** The webhooks of an account: few enough to be one partition, which every list reads whole. */
export const webhooks = {
  subject: 'webhook' as const,

  /** By its host: the rest of a URL may be nobody's business. */
  describe: ({ description, url }: Pick<StoredWebhook, 'description' | 'url'>) => ({
    label: description ?? new URL(url).host,
  }),

  /** Its secrets are told by the fact that they changed. */
  forEvents: ({ secrets, ...webhook }: StoredWebhook) => ({
    ...webhook,
    secret: hidden(secrets.map(({ number }) => number)),
  }),

  async find(account: AccountId, id: number): Promise<StoredWebhook | undefined> {
    const item = await getItem(webhookKey(account, id));
    return item && recordOf<StoredWebhook>(item);
  },

  /** The webhook. Throws `not_found`. */
  async get(account: AccountId, id: number): Promise<StoredWebhook> {
    const webhook = await this.find(account, id);
    if (!webhook) throw notFound('webhook', id);
    return webhook;
  },

  /** The webhook, to which events go. Throws `not_found`, and `webhook_inactive` where none do. */
  async getActive(account: AccountId, id: number): Promise<StoredWebhook> {
    const webhook = await this.get(account, id);
    if (!webhook.active) throw new ApiError('webhook_inactive');
    return webhook;
  },

  /** The webhook and its health, by one query: they lie side by side, and are small enough for one unit. */
  async findWatched(account: AccountId, id: number): Promise<WatchedWebhook | undefined> {
    const sortKey = { from: webhookKey(account, id).sk, to: webhookHealthKey(account, id).sk };
    const items = await queryItems({ partition: webhookPartition(account), sortKey });
    const [webhook, health] = [items.find((item) => !isHealth(item)), items.find(isHealth)];
    return webhook && { webhook: recordOf(webhook), health: health ? recordOf(health) : {} };
  },

  /** The same. Throws `not_found`. */
  async watched(account: AccountId, id: number): Promise<WatchedWebhook> {
    const found = await this.findWatched(account, id);
    if (!found) throw notFound('webhook', id);
    return found;
  },

  /** All of an account, the newest first. */
  async all(account: AccountId): Promise<WatchedWebhook[]> {
    const items = await queryItems({ partition: webhookPartition(account), newestFirst: true });
    const healths = new Map(items.filter(isHealth).map((item) => [item.sk, recordOf<StoredHealth>(item)]));
    return items
      .filter((item) => !isHealth(item))
      .map((item) => recordOf<StoredWebhook>(item))
      .map((webhook) => ({
        webhook,
        health: healths.get(webhookHealthKey(account, webhook.id).sk) ?? {},
      }));
  },

  /** Throws `quota_exceeded` past 20 webhooks. */
  insert: (webhook: StoredWebhook): Write[] => [
    putIfAbsent(itemOf(webhook)),
    addWithinQuota(quotaKey(webhook.accountId, 'WEBHOOK'), mostWebhooks),
    subscribe(webhook),
  ],

  replace(before: StoredWebhook, after: StoredWebhook): Write[] {
    if (before === after) return [];
    const forgotten = startsAnew(before, after)
      ? [deleteItem(webhookHealthKey(after.accountId, after.id))]
      : [];
    return [putIfVersion(itemOf(after), before.version), subscribe(after), ...forgotten];
  },

  /** Fails the transaction unless the webhook still is as it was read. */
  unchanged: ({ accountId, id, version }: StoredWebhook): Write =>
    checkAt(webhookKey(accountId, id), version),

  /** Leaves no tombstone: what was delivered expires by itself, and no other webhook gets its id. */
  delete: (webhook: StoredWebhook): Write[] => [
    deleteIfVersion(webhookKey(webhook.accountId, webhook.id), webhook.version),
    deleteItem(webhookHealthKey(webhook.accountId, webhook.id)),
    addToCounter(quotaKey(webhook.accountId, 'WEBHOOK'), -1),
    unsubscribe(webhook),
  ],
};

/** Whether what attempts said before a change says nothing any more: of another address, or of one that is tried again. */
export const startsAnew = (before: StoredWebhook, after: StoredWebhook): boolean =>
  before.url !== after.url || (after.active && !before.active);

const itemOf = (webhook: StoredWebhook): Item => ({
  ...webhookKey(webhook.accountId, webhook.id),
  type: 'webhook',
  ...webhook,
});

const isHealth = ({ type }: Item): boolean => type === 'webhook-health';
