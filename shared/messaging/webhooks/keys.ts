import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

export const webhookPartition = (account: AccountId): string => tenantPartition(account, 'WEBHOOK');

export const webhookKey = (account: AccountId, id: number): Key => ({
  pk: webhookPartition(account),
  sk: digits(id),
});

export const webhookHealthKey = (account: AccountId, id: number): Key => ({
  pk: webhookPartition(account),
  sk: `${digits(id)}#HEALTH`,
});

/** The subscriptions of all webhooks of an account, in one item, so that fan-out needs one small read. */
export const webhookSubscriptionsKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'WEBHOOKS'),
  sk: 'SUBSCRIPTIONS',
});
