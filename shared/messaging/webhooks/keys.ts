import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

export const webhookPartition = (account: AccountId): string => tenantPartition(account, 'WEBHOOK');

export const webhookKey = (account: AccountId, id: number): Key => ({
  pk: webhookPartition(account),
  sk: digits(id),
});

/** The outcome of a webhook's latest deliveries, beside its record. */
export const webhookHealthKey = (account: AccountId, id: number): Key => ({
  pk: webhookPartition(account),
  sk: `${digits(id)}#HEALTH`,
});

/** The kinds of events that each webhook of an account receives: one small item, so that one read finds the webhooks. */
export const webhookSubscriptionsKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'WEBHOOKS'),
  sk: 'SUBSCRIPTIONS',
});
