import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { messageQueueNames } from '../channels/terms.ts';
import { queueUrlVariable, type TriggerQueue } from '../events/queues.ts';
import { type TriggerMessage, triggerBody, triggerItemWrite } from '../events/trigger-message.ts';
import type { Write } from '../table/operations.ts';
import { tuneClient } from '../tune-client.ts';
import { asWorkQueueName, type OtherQueueName, type WorkQueue, type WorkQueueName } from './keys.ts';

const sqsQueues: Readonly<
  Record<OtherQueueName, TriggerQueue> & Partial<Record<WorkQueueName, TriggerQueue>>
> = {
  JOBS: 'jobs',
  PARTNER: 'partner',
  PARTNEREVENTS: 'partner',
  OUTGOINGMAIL: 'outgoing',
  RESIDUALS: 'residuals',
  SEALING: 'sealing',
};

/** The SQS queue for the trigger messages of a work queue. */
const sqsQueueOf = ({ name }: WorkQueue): TriggerQueue =>
  messageQueueNames.some((one) => one === name) ? 'messages' : (sqsQueues[name] ?? 'deliveries');

/** Uses the regional endpoint, because local SQS engines return queue URLs with hosts that cannot be resolved. */
const sqs = tuneClient(new SQSClient({ useQueueUrlAsEndpoint: false }));
/** In milliseconds. A short timeout is enough, because the sweep sends a lost trigger message again. */
const sendTimeout = 5_000;

/**
 * Triggers a run of a work queue after `delay` milliseconds, at most 15 minutes. Errors are logged, not thrown, because
 * the sweep triggers every work queue that is due.
 */
export async function sendTrigger(workQueue: WorkQueue, delay = 0): Promise<void> {
  const { account, name } = workQueue;
  try {
    const message = new SendMessageCommand({
      QueueUrl: urlFrom(queueUrlVariable(sqsQueueOf(workQueue))),
      MessageBody: triggerBody({ account, workQueue: name }),
      MessageGroupId: account,
      ...(delay > 0 && { DelaySeconds: Math.ceil(delay / 1000) }),
    });
    await sqs.send(message, { abortSignal: AbortSignal.timeout(sendTimeout) });
  } catch (error) {
    console.error(`Could not send a trigger message for the work queue ${name} of ${account}:`, error);
  }
}

function urlFrom(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`Set ${variable} to the URL of the queue for trigger messages.`);
  return url;
}

/** The write that triggers a work queue after the transaction is committed. */
export const triggerWrite = (workQueue: WorkQueue, now: Date): Write =>
  triggerItemWrite(sqsQueueOf(workQueue), { account: workQueue.account, workQueue: workQueue.name }, now);

/** Returns the work queue of a trigger message; undefined if the queue's name is not valid. */
export function workQueueIn({ account, workQueue }: TriggerMessage): WorkQueue | undefined {
  const name = asWorkQueueName(workQueue);
  return name && { account, name };
}
