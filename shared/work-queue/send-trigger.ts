import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueUrlVariable } from '../events/queues.ts';
import { type TriggerMessage, triggerBody, triggerItemWrite } from '../events/trigger-message.ts';
import type { Write } from '../table/operations.ts';
import { asWorkQueueName } from './keys.ts';
import { queueOf, type WorkQueue } from './work-queue.ts';

/** By the region's endpoint, not by a queue URL's host: a local engine names hosts that nobody resolves. */
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
/** Milliseconds. A trigger message may be lost, so that nobody waits longer for one to be sent. */
const longestSend = 5_000;

/**
 * Wakes a work queue in so many milliseconds, at most 15 minutes. Where that fails it is told in the log and no more: the sweep
 * wakes each work queue that is due.
 */
export async function sendTrigger(workQueue: WorkQueue, triggerIn = 0): Promise<void> {
  const { account, name } = workQueue;
  try {
    const message = new SendMessageCommand({
      QueueUrl: urlFrom(queueUrlVariable(queueOf(workQueue))),
      MessageBody: triggerBody({ account, backlog: name }),
      MessageGroupId: account,
      ...(triggerIn > 0 && { DelaySeconds: Math.ceil(triggerIn / 1000) }),
    });
    await sqs.send(message, { abortSignal: AbortSignal.timeout(longestSend) });
  } catch (error) {
    console.error(`A trigger message of the work queue ${name} of ${account} could not be sent:`, error);
  }
}

function urlFrom(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: it names a queue that wakes work queues.`);
  return url;
}

/** The write that wakes a work queue once its transaction is committed. */
export const triggerWrite = (workQueue: WorkQueue, now: Date): Write =>
  triggerItemWrite(queueOf(workQueue), { account: workQueue.account, backlog: workQueue.name }, now);

/** The work queue that a trigger message is for; undefined where there is none of that name. */
export function workQueueIn({ account, backlog }: TriggerMessage): WorkQueue | undefined {
  const name = asWorkQueueName(backlog);
  return name && { account, name };
}
