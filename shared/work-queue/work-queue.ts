import type { TriggerQueue } from '../events/queues.ts';
import type { AccountId } from '../id/account-id.ts';
import { digits } from '../table/keys.ts';

export type WorkQueueName = `WEBHOOK#${string}` | 'MAIL' | 'SMS' | 'JOBS';

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
  name: `WEBHOOK#${digits(webhookId)}`,
});

/** Reads the name of a work queue from a message or a key; undefined if the text is not a valid name. */
export const asWorkQueueName = (text: string): WorkQueueName | undefined =>
  /^(WEBHOOK#\d{16}|MAIL|SMS|JOBS)$/.test(text) ? (text as WorkQueueName) : undefined;

/** Returns the id of the webhook that a work queue belongs to; undefined for all other work queues. */
export function webhookOf({ name }: WorkQueue): number | undefined {
  const [webhook, id] = name.split('#');
  return webhook === 'WEBHOOK' ? Number(id) : undefined;
}

/** The SQS queue that carries the trigger messages of a work queue. */
export const queueOf = ({ name }: WorkQueue): TriggerQueue =>
  name.startsWith('WEBHOOK#') ? 'deliveries' : 'jobs';

/** The current time, and the deadline in milliseconds since 1970 after which nothing new starts. */
export interface Run {
  now: Date;
  deadline: number;
}
