import type { WakeQueue } from '../events/queues.ts';
import type { AccountId } from '../id/account-id.ts';
import { type BacklogName, readWebhookBacklogName, webhookBacklogName } from './keys.ts';

/**
 * What leaves the service goes through a backlog: one for each webhook, and for each account one each for mail, for text
 * messages and for jobs. The table is the truth; a message of a queue only wakes whoever works it.
 */
export interface Backlog {
  account: AccountId;
  name: BacklogName;
}

/** The backlog of a webhook. */
export const webhookBacklog = (account: AccountId, webhookId: number): Backlog => ({
  account,
  name: webhookBacklogName(webhookId),
});

/** The id of the webhook whose backlog it is; undefined for any other backlog. */
export const webhookOf = ({ name }: Backlog): number | undefined => readWebhookBacklogName(name);

/** The queue whose messages wake a backlog. */
export const queueOf = (backlog: Backlog): WakeQueue =>
  webhookOf(backlog) === undefined ? 'jobs' : 'deliveries';

/** The instant of what is done, and the milliseconds since 1970 after which nothing new begins. */
export interface Run {
  now: Date;
  deadline: number;
}
