import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { countMessages } from '../administration/count-messages.ts';
import { objectIn } from '../administration/dead-letter.ts';
import { deadLetterFiles, removeDeadLetterFile } from '../administration/dead-letter-files.ts';
import { deadLetterSources } from '../administration/dead-letter-sources.ts';
import { receiveDeadLetters } from './receive-dead-letters.ts';
import { type CloudService, deadLetterFolder, type Service } from './service-at.ts';

/**
 * Removes an account's dead letters from all dead-letter queues, or from the local folder. If `count` is true,
 * removes nothing. Returns the number of dead letters found.
 */
export async function removeDeadLetters(
  service: Service | CloudService,
  account: AccountId,
  { count }: { count: boolean },
): Promise<number> {
  let found = 0;
  if ('deadLetterUrlOf' in service)
    for (const source of deadLetterSources)
      await receiveDeadLetters(
        { client: service.sqs, url: service.deadLetterUrlOf(source), source },
        async ({ body }) => {
          if (accountOfMessage(body) !== account) return 'keep';
          found += 1;
          return count ? 'keep' : 'done';
        },
      );
  else
    for (const letter of deadLetterFiles(deadLetterFolder()))
      if (accountOfMessage(letter.body) === account) {
        found += 1;
        if (!count) removeDeadLetterFile(deadLetterFolder(), letter);
      }
  return found;
}

export interface QueueCheck {
  /** Queues that may still contain messages from before the erasure. */
  held: QueueName[];
  /**
   * The number of delayed trigger messages. They become visible within 15 minutes and do nothing, because the
   * account is erased.
   */
  delayed: number;
}

/**
 * Waits until consumers have processed all messages sent before `since`: each queue was empty once, or
 * contains only later messages. Stops at `deadline`. Both times are in milliseconds since 1970. Reads only
 * the counts and ages of messages, and receives none: after too many receives, SQS moves a message to the dead-letter
 * queue.
 */
export async function waitForQueues(
  { sqs, urlOf, depthOf }: Service,
  since: number,
  deadline: number,
): Promise<QueueCheck> {
  const held = new Set<QueueName>(queueNames);
  const delayed = new Map<QueueName, number>();
  for (;;) {
    for (const queue of held) {
      const { visible, inFlight, delayed: later } = await countMessages(sqs, urlOf(queue));
      delayed.set(queue, later);
      const { oldestSeconds } = visible || inFlight ? await depthOf(queue) : {};
      const isNewer = oldestSeconds !== undefined && Date.now() - oldestSeconds * 1000 > since;
      if (!(visible || inFlight) || isNewer) held.delete(queue);
    }
    if (held.size === 0 || Date.now() >= deadline)
      return { held: [...held], delayed: [...delayed.values()].reduce((sum, many) => sum + many, 0) };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The parts of a message or a dead letter that contain the account. */
interface MessageShapes {
  /** An event. */
  accountId?: unknown;
  /** A trigger message. */
  trigger?: { account?: unknown };
  /** A stream record that the relay could not process. */
  dynamodb?: { Keys?: { pk?: { S?: unknown } }; NewImage?: { pk?: { S?: unknown } } };
  /** The body of a message that the relay could not send to its queue. */
  body?: unknown;
}

/** Returns the account of a message, or undefined for a message without an account, such as Lambda's failure note. */
function accountOfMessage(body: string): string | undefined {
  const { accountId, trigger, dynamodb, body: inner }: MessageShapes = objectIn(body);
  const pk = dynamodb?.Keys?.pk?.S ?? dynamodb?.NewImage?.pk?.S;
  const named = accountId ?? trigger?.account ?? (typeof pk === 'string' ? pk.split('#')[1] : undefined);
  if (typeof named === 'string') return named;
  return typeof inner === 'string' ? accountOfMessage(inner) : undefined;
}
