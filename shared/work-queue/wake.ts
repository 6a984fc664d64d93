import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueUrlVariable } from '../events/queues.ts';
import { type WakeUp, wakeUpBody, wakeUpWritten } from '../events/wake-up.ts';
import type { Write } from '../table/operations.ts';
import { type Backlog, queueOf } from './backlog.ts';
import { asBacklogName } from './keys.ts';

/** By the region's endpoint, not by a queue URL's host: a local engine names hosts that nobody resolves. */
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
/** Milliseconds. A wake-up may be lost, so that nobody waits longer for one to be sent. */
const longestSend = 5_000;

/**
 * Wakes a backlog in so many milliseconds, at most 15 minutes. Where that fails it is told in the log and no more: the sweep
 * wakes each backlog that is due.
 */
export async function sendWakeUp(backlog: Backlog, wakeIn = 0): Promise<void> {
  const { account, name } = backlog;
  try {
    const message = new SendMessageCommand({
      QueueUrl: urlFrom(queueUrlVariable(queueOf(backlog))),
      MessageBody: wakeUpBody({ account, backlog: name }),
      MessageGroupId: account,
      ...(wakeIn > 0 && { DelaySeconds: Math.ceil(wakeIn / 1000) }),
    });
    await sqs.send(message, { abortSignal: AbortSignal.timeout(longestSend) });
  } catch (error) {
    console.error(`A wake-up of the backlog ${name} of ${account} could not be sent:`, error);
  }
}

function urlFrom(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: it names a queue that wakes backlogs.`);
  return url;
}

/** The write that wakes a backlog once its transaction is committed. */
export const backlogWoken = (backlog: Backlog, now: Date): Write =>
  wakeUpWritten(queueOf(backlog), { account: backlog.account, backlog: backlog.name }, now);

/** The backlog that a wake-up is for; undefined where there is none of that name. */
export function backlogIn({ account, backlog }: WakeUp): Backlog | undefined {
  const name = asBacklogName(backlog);
  return name && { account, name };
}
