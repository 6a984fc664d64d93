import type { SQSClient } from '@aws-sdk/client-sqs';
import { listedAccounts } from '../../../shared/accounts/directory.ts';
import type { QueueName } from '../../../shared/events/queues.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { webhooks } from '../../../shared/messaging/webhooks/store.ts';
import { accountWorkQueues, type WorkQueue, webhookWorkQueue } from '../../../shared/work-queue/keys.ts';
import { waitingOf } from '../../../shared/work-queue/list-work-items.ts';
import { readWorkQueueState } from '../../../shared/work-queue/store.ts';
import { isLeased, nextStart } from '../../../shared/work-queue/work-queue-state.ts';
import { countMessages, oldestIn } from '../../administration/count-messages.ts';
import type { Queues } from '../queues.ts';

interface SqsQueue {
  queue: QueueName;
  /** Messages that a consumer can receive now. */
  visible: number;
  inFlight: number;
  delayed: number;
  /** The age of the oldest message, in seconds. Absent if the queue is empty or the engine does not report it. */
  oldestSeconds?: number;
}

/** Reads the depth of each SQS queue. */
export const sqsQueues = (sqs: SQSClient, { queues }: Pick<Queues, 'queues'>): Promise<SqsQueue[]> =>
  Promise.all(
    queues.map(async ({ name: queue, url }) => ({
      queue,
      ...(await countMessages(sqs, url)),
      ...(await oldestIn(sqs, url)),
    })),
  );

interface WorkQueueOverview {
  account: AccountId;
  name: WorkQueue['name'];
  /** The webhook's URL, if the work queue belongs to a webhook. */
  url?: string;
  /** The number of waiting items, at most 10,000. */
  waiting: number;
  oldestWaitingAt?: string;
  nextAttemptAt?: string;
  pausedUntil?: string;
  /** True if a worker holds the lease of the work queue. */
  running: boolean;
  /** Consecutive failed attempts that count toward the circuit breaker. */
  failures: number;
}

/** The maximum number of accounts whose work queues are read. */
export const mostAccounts = 50;

/** Reads the work queues of the first 50 accounts: mail, text messages, jobs, the partner, seals, and one for each webhook. */
export async function workQueues(now: Date): Promise<WorkQueueOverview[]> {
  const accounts = (await listedAccounts()).slice(0, mostAccounts);
  return (await Promise.all(accounts.map((account) => workQueuesOf(account, now)))).flat();
}

async function workQueuesOf(account: AccountId, now: Date): Promise<WorkQueueOverview[]> {
  const all: { workQueue: WorkQueue; url?: string }[] = [
    ...accountWorkQueues(account, []).map((workQueue) => ({ workQueue })),
    ...(await webhooks.all(account)).map(({ webhook: { id, url } }) => ({
      workQueue: webhookWorkQueue(account, id),
      url,
    })),
  ];
  return Promise.all(
    all.map(async ({ workQueue, url }) => {
      const [{ state }, waiting] = await Promise.all([readWorkQueueState(workQueue), waitingOf(workQueue)]);
      const nextAttemptAt = nextStart(state);
      const { pausedUntil } = state;
      return {
        ...workQueue,
        ...(url !== undefined && { url }),
        ...waiting,
        ...(nextAttemptAt !== undefined && { nextAttemptAt }),
        ...(pausedUntil !== undefined && pausedUntil > now.toISOString() && { pausedUntil }),
        running: isLeased(state, now),
        failures: state.failures,
      };
    }),
  );
}
