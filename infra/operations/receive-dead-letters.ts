import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadLetter, DeadLetterSource } from './dead-letter.ts';

/** So many seconds nobody else sees what a command has in hand. */
const inHand = 600;
/** A queue that says it has more, and gives nothing, is asked so often in a row. */
const emptyReads = 5;

/**
 * Shows each dead letter of a queue to `handle`, and deletes those that it is done with; all others are in the queue again
 * at the end, also where `handle` throws. What came after the start is not looked at, such as what has died again.
 */
export async function receiveDeadLetters(
  { client, url, source }: { client: SQSClient; url: string; source: DeadLetterSource },
  handle: (letter: DeadLetter) => Promise<'done' | 'stays'>,
): Promise<void> {
  const start = Date.now();
  const kept: Message[] = [];
  try {
    for (let empty = 0; empty < emptyReads; ) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: inHand,
          WaitTimeSeconds: Math.min(empty, 1),
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      if (Messages.length === 0 && (await isEmpty(client, url))) return;
      empty = Messages.length === 0 ? empty + 1 : 0;
      kept.push(...Messages);
      for (const message of Messages) {
        const { MessageId: id = '', Body: body = '', ReceiptHandle } = message;
        const since = new Date(Number(message.Attributes?.SentTimestamp ?? start));
        if (since.getTime() > start || (await handle({ source, id, since, body })) === 'stays') continue;
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

async function isEmpty(client: SQSClient, QueueUrl: string): Promise<boolean> {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Attributes?.ApproximateNumberOfMessages === '0';
}
