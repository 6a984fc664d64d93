import type { TriggerQueue } from '../events/queues.ts';
import type { AccountId } from '../id/account-id.ts';
import { readWebhookWorkQueueName, type WorkQueueName, webhookWorkQueueName } from './keys.ts';

/**
 * What leaves the service goes through a work queue: one for each webhook, and for each account one each for mail, for text
 * messages and for jobs. The table is the truth; a message of a queue only wakes whoever works it.
 */
export interface WorkQueue {
  account: AccountId;
  name: WorkQueueName;
}

/** The work queue of a webhook. */
export const webhookWorkQueue = (account: AccountId, webhookId: number): WorkQueue => ({
  account,
  name: webhookWorkQueueName(webhookId),
});

/** The id of the webhook whose work queue it is; undefined for any other work queue. */
export const webhookOf = ({ name }: WorkQueue): number | undefined => readWebhookWorkQueueName(name);

/** The queue whose messages wake a work queue. */
export const queueOf = (workQueue: WorkQueue): TriggerQueue =>
  webhookOf(workQueue) === undefined ? 'jobs' : 'deliveries';

/** The instant of what is done, and the milliseconds since 1970 after which nothing new begins. */
export interface Run {
  now: Date;
  deadline: number;
}
