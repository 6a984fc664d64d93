import type { AccountId } from '../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../table/keys.ts';

/** The name of a work queue within its account. */
export type WorkQueueName = `WEBHOOK#${string}` | 'MAIL' | 'SMS' | 'JOBS';

export const webhookWorkQueueName = (webhookId: number): WorkQueueName => `WEBHOOK#${digits(webhookId)}`;

/** Returns the id of the webhook whose work queue has this name; undefined for any other name. */
export function readWebhookWorkQueueName(name: WorkQueueName): number | undefined {
  const [webhook, id] = name.split('#');
  return webhook === 'WEBHOOK' ? Number(id) : undefined;
}

/** Reads the name of a work queue from a message or a key; undefined if the text is not a valid name. */
export const asWorkQueueName = (text: string): WorkQueueName | undefined =>
  /^(WEBHOOK#\d{16}|MAIL|SMS|JOBS)$/.test(text) ? (text as WorkQueueName) : undefined;

export const workQueuePartition = (account: AccountId, name: WorkQueueName): string =>
  tenantPartition(account, 'BACKLOG', name);

/** The state of a work queue. It sorts right before the pointers, so that one query reads both. */
export const queueStateKey = (account: AccountId, name: WorkQueueName): Key => ({
  pk: workQueuePartition(account, name),
  sk: 'HEAD',
});

/**
 * The key of a pointer to an open work item, sorted by due time: ISO 8601 with milliseconds. A pointer with `once` is for one
 * attempt outside the schedule, and sorts before all others.
 */
export const pointerKey = (
  account: AccountId,
  name: WorkQueueName,
  { due, id, once }: { due: string; id: string; once?: true },
): Key => ({
  pk: workQueuePartition(account, name),
  sk: ['OPEN', once ? `0${due}` : due, idText(id), ...(once ? ['ONCE'] : [])].join('#'),
});

/** Reads a sort key of `pointerKey`; undefined for any other sort key. */
export function readPointerKey(sk: string): { due: string; id: string; once?: true } | undefined {
  const [open, due, id, once] = sk.split('#');
  if (open !== 'OPEN' || !due || !id) return undefined;
  return once === 'ONCE' ? { due: due.slice(1), id, once: true } : { due, id };
}

/** The sort keys of a work queue's state with all its pointers, and of the pointers only. */
export const stateAndPointerRange = { from: 'HEAD', to: 'OPEN#~' } as const;
export const pointerRange = { from: 'OPEN#', to: 'OPEN#~' } as const;

export const workItemKey = (account: AccountId, name: WorkQueueName, id: string): Key => ({
  pk: workQueuePartition(account, name),
  sk: `ENTRY#${idText(id)}`,
});

/** The sort keys of all work items of a work queue. */
export const workItemRange = { from: 'ENTRY#', to: 'ENTRY#~' } as const;

/**
 * Counts the deliveries of a webhook that exhausted their retries within an hour, such as `2026-03-02T10`. It sorts before
 * the state, so that no query of the work queue reads it.
 */
export const exhaustedDeliveriesKey = (account: AccountId, name: WorkQueueName, hour: string): Key => ({
  pk: workQueuePartition(account, name),
  sk: `GIVENUP#${hour}`,
});
