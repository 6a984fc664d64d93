import type { MessageQueueName } from '../channels/channels.ts';
import { messageQueueNames } from '../channels/terms.ts';
import type { AccountId } from '../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../table/keys.ts';

/** The work queues for jobs, requests to the partner, events of the partner, mails to customers, residuals, and seals. */
const otherNames = ['JOBS', 'PARTNER', 'PARTNEREVENTS', 'OUTGOINGMAIL', 'RESIDUALS', 'SEALING'] as const;
/** The names of the work queues of an account, except those of its webhooks. */
const accountNames = [...messageQueueNames, ...otherNames];

export type OtherQueueName = (typeof otherNames)[number];
export type WorkQueueName = `WEBHOOK#${string}` | MessageQueueName | OtherQueueName;

/** The work queue of a webhook, or a work queue of an account: one for each channel with messages, and six others. */
export interface WorkQueue {
  account: AccountId;
  name: WorkQueueName;
}

export const webhookWorkQueue = (account: AccountId, webhookId: number): WorkQueue => ({
  account,
  name: `WEBHOOK#${digits(webhookId)}`,
});

/** The work queue of an account's jobs. */
export const jobsOf = (account: AccountId): WorkQueue => ({ account, name: 'JOBS' });

/** The work queue of the jobs that read an account's files of residuals and calculate its months. */
export const residualJobsOf = (account: AccountId): WorkQueue => ({ account, name: 'RESIDUALS' });

/** Returns all work queues of an account with these webhooks. */
export const accountWorkQueues = (account: AccountId, webhookIds: readonly number[]): WorkQueue[] => [
  ...accountNames.map((name) => ({ account, name })),
  ...webhookIds.map((id) => webhookWorkQueue(account, id)),
];

/** Reads the name of a work queue from a message or a key; undefined if the text is not a valid name. */
export const asWorkQueueName = (text: string): WorkQueueName | undefined =>
  /^WEBHOOK#\d{16}$/.test(text) ? (text as WorkQueueName) : accountNames.find((name) => name === text);

/** Returns the id of the webhook that a work queue belongs to; undefined for all other work queues. */
export function webhookOf({ name }: WorkQueue): number | undefined {
  const [webhook, id] = name.split('#');
  return webhook === 'WEBHOOK' ? Number(id) : undefined;
}

export const workQueuePartition = ({ account, name }: WorkQueue): string =>
  tenantPartition(account, 'WORKQUEUE', name);

const keyIn = (workQueue: WorkQueue, sk: string): Key => ({ pk: workQueuePartition(workQueue), sk });

/** The key of a work queue's state. It sorts right before the pointers, so that one query reads state and pointers. */
export const workQueueStateKey = (workQueue: WorkQueue): Key => keyIn(workQueue, 'HEAD');

/**
 * The key of a pointer to an open work item. Pointers sort by due time (ISO 8601 with milliseconds). A pointer with
 * `once` requests one attempt outside the schedule, and sorts before all other pointers.
 */
export const pointerKey = (
  workQueue: WorkQueue,
  { due, id, once }: { due: string; id: string; once?: true },
): Key => keyIn(workQueue, ['OPEN', once ? `0${due}` : due, idText(id), ...(once ? ['ONCE'] : [])].join('#'));

export function readPointerKey(sk: string): { due: string; id: string; once?: true } | undefined {
  const [open, due, id, once] = sk.split('#');
  if (open !== 'OPEN' || !due || !id) return undefined;
  return once === 'ONCE' ? { due: due.slice(1), id, once: true } : { due, id };
}

/** The range of sort keys of a work queue's state and all its pointers, and the range of the pointers only. */
export const stateAndPointerRange = { from: 'HEAD', to: 'OPEN#~' } as const;
export const pointerRange = { from: 'OPEN#', to: 'OPEN#~' } as const;

export const workItemKey = (workQueue: WorkQueue, id: string): Key =>
  keyIn(workQueue, `WORKITEM#${idText(id)}`);
export const workItemRange = { from: 'WORKITEM#', to: 'WORKITEM#~' } as const;

/**
 * The key of the counter of a webhook's exhausted deliveries in an hour, such as `2026-03-02T10`. The key sorts before
 * the state, so that no query of the work queue reads the counter.
 */
export const exhaustedDeliveriesKey = (workQueue: WorkQueue, hour: string): Key =>
  keyIn(workQueue, `EXHAUSTED#${hour}`);
