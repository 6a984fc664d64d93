import type { TriggerQueue } from '../events/queues.ts';
import type { AccountId } from '../id/account-id.ts';
import { readWebhookWorkQueueName, type WorkQueueName, webhookWorkQueueName } from './keys.ts';

/**
 * Everything that leaves the service goes through a work queue. Each webhook has one, and each account has one each for
 * mail, text messages and jobs. The table holds the work; an SQS message only triggers a run.
 */
export interface WorkQueue {
  account: AccountId;
  name: WorkQueueName;
}

export const webhookWorkQueue = (account: AccountId, webhookId: number): WorkQueue => ({
  account,
  name: webhookWorkQueueName(webhookId),
});

/** Returns the id of the webhook that a work queue belongs to; undefined for all other work queues. */
export const webhookOf = ({ name }: WorkQueue): number | undefined => readWebhookWorkQueueName(name);

/** The SQS queue that carries the trigger messages of a work queue. */
export const queueOf = (workQueue: WorkQueue): TriggerQueue =>
  webhookOf(workQueue) === undefined ? 'jobs' : 'deliveries';

/** The current time, and the deadline in milliseconds since 1970 after which nothing new starts. */
export interface Run {
  now: Date;
  deadline: number;
}
