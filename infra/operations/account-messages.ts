import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { deadLetterFiles, removeDeadLetterFile } from '../local/dead-letter-files.ts';
import { accountOfMessage } from './account-of-message.ts';
import { deadLetterSources } from './dead-letter.ts';
import { receiveDeadLetters } from './receive-dead-letters.ts';
import { type CloudService, deadLetterFolder, type Service } from './service-at.ts';

/** Removes the dead letters of an account from every queue, or from the folder of this machine; how many there were. */
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
          if (accountOfMessage(body) !== account) return 'stays';
          found += 1;
          return count ? 'stays' : 'done';
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

/** What the queues hold of whatever account. */
export interface QueueCheck {
  /** Queues that have not been dry since the erasure began, and may hold messages of the account. */
  held: QueueName[];
  /** Trigger messages that come later, within 15 minutes: one of an account that is gone finds nothing to do. */
  delayed: number;
}

/**
 * Looks at each queue until it was dry once, or its oldest message came after an instant, in milliseconds since 1970: consumers
 * have worked every message from before it then. Gives up at `deadline`. No message is taken, which would count as a try of it.
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
      const asked = { QueueUrl: urlOf(queue), AttributeNames: [...counted] };
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand(asked));
      const [ready, inHand, later] = counted.map((name) => Number(Attributes[name] ?? 0));
      delayed.set(queue, later ?? 0);
      const { oldestSeconds } = ready || inHand ? await depthOf(queue) : {};
      const isNewer = oldestSeconds !== undefined && Date.now() - oldestSeconds * 1000 > since;
      if (!(ready || inHand) || isNewer) held.delete(queue);
    }
    if (held.size === 0 || Date.now() >= deadline)
      return { held: [...held], delayed: [...delayed.values()].reduce((sum, many) => sum + many, 0) };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const counted = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;
