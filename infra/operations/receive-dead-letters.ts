import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { countMessages } from '../administration/count-messages.ts';
import type { DeadLetter } from '../administration/dead-letter.ts';
import type { DeadLetterSource } from '../administration/dead-letter-sources.ts';

/** In seconds. */
const visibilityTimeout = 600;
/** Stops after this many consecutive empty responses, even if SQS still reports messages. */
const maxEmptyReads = 5;

/**
 * Calls `handle` for each dead letter of a queue. Deletes the dead letters for which `handle` returns `done`. All
 * other dead letters become visible again at the end, even if `handle` throws. Skips messages that arrived after the
 * start, such as messages that failed again.
 */
export async function receiveDeadLetters(
  { client, url, source }: { client: SQSClient; url: string; source: DeadLetterSource },
  handle: (letter: DeadLetter) => Promise<'done' | 'keep'>,
): Promise<void> {
  const start = Date.now();
  const kept: Message[] = [];
  try {
    for (let empty = 0; empty < maxEmptyReads; ) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: visibilityTimeout,
          WaitTimeSeconds: Math.min(empty, 1),
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      if (Messages.length === 0 && (await countMessages(client, url)).visible === 0) return;
      empty = Messages.length === 0 ? empty + 1 : 0;
      kept.push(...Messages);
      for (const message of Messages) {
        const { MessageId: id = '', Body: body = '', ReceiptHandle } = message;
        const since = new Date(Number(message.Attributes?.SentTimestamp ?? start));
        if (since.getTime() > start || (await handle({ source, id, since, body })) === 'keep') continue;
        await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
        kept.splice(kept.indexOf(message), 1);
      }
    }
  } finally {
    for (const { ReceiptHandle } of kept)
      await client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 0 }),
      );
  }
}
