import type { AccountId } from '../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../table/keys.ts';

/** The name of a work queue within its account. */
export type WorkQueueName = `WEBHOOK#${string}` | 'MAIL' | 'SMS' | 'JOBS';

export const webhookWorkQueueName = (webhookId: number): WorkQueueName => `WEBHOOK#${digits(webhookId)}`;

/** The id of the webhook whose work queue has this name; undefined for any other work queue. */
export function readWebhookWorkQueueName(name: WorkQueueName): number | undefined {
  const [webhook, id] = name.split('#');
  return webhook === 'WEBHOOK' ? Number(id) : undefined;
}

/** The name of a work queue in a text from a message or a key; undefined if the text is no such name. */
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
 * Points to an open work item of a work queue, by the instant at which it is due: ISO 8601 with milliseconds. `once`: for one
 * attempt outside the schedule, which sorts before all others.
 */
export const pointerKey = (
  account: AccountId,
  name: WorkQueueName,
  { due, id, once }: { due: string; id: string; once?: true },
): Key => ({
  pk: workQueuePartition(account, name),
  sk: ['OPEN', once ? `0${due}` : due, idText(id), ...(once ? ['ONCE'] : [])].join('#'),
});

/** The content of a sort key of `pointerKey`; undefined for any other sort key. */
export function readPointerKey(sk: string): { due: string; id: string; once?: true } | undefined {
  const [open, due, id, once] = sk.split('#');
  if (open !== 'OPEN' || !due || !id) return undefined;
  return once === 'ONCE' ? { due: due.slice(1), id, once: true } : { due, id };
}

/** The sort keys of a work queue's state and all its pointers, and of the pointers alone. */
export const stateAndPointerRange = { from: 'HEAD', to: 'OPEN#~' } as const;
export const pointerRange = { from: 'OPEN#', to: 'OPEN#~' } as const;

export const workItemKey = (account: AccountId, name: WorkQueueName, id: string): Key => ({
  pk: workQueuePartition(account, name),
  sk: `ENTRY#${idText(id)}`,
});

/** The sort keys of all work items of a work queue. */
export const workItemRange = { from: 'ENTRY#', to: 'ENTRY#~' } as const;

/**
 * The number of deliveries of a webhook that were given up within an hour, such as `2026-03-02T10`. It sorts before the
 * state, where no query of the work queue reads.
 */
export const exhaustedDeliveriesKey = (account: AccountId, name: WorkQueueName, hour: string): Key => ({
  pk: workQueuePartition(account, name),
  sk: `GIVENUP#${hour}`,
});
