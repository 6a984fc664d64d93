import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { QueuedMessage } from '../../events/queue-messages.ts';
import type { QueueName } from '../../shared/events/queues.ts';

/** The maximum number of attempts to send a message. */
const attempts = 4;

type Sendable = Pick<QueuedMessage, 'queue' | 'body' | 'group'> & {
  /** The id of the redriven dead letter. The local runner reads this id from the message's attribute. */
  letter?: string;
};

/** The message attribute with the id of the redriven dead letter. */
export const letterAttribute = 'letter';

/** Returns a function that sends messages to their queues in batches of ten. Throws if a queue rejects a message. */
export const sender =
  (client: SQSClient, urlOf: (queue: QueueName) => string) =>
  async (messages: readonly Sendable[]): Promise<void> => {
    for (const queue of new Set(messages.map((message) => message.queue))) {
      const all = messages.filter((message) => message.queue === queue);
      for (let start = 0; start < all.length; start += 10)
        await sendBatch(client, urlOf(queue), all.slice(start, start + 10));
    }
  };

async function sendBatch(client: SQSClient, url: string, batch: readonly Sendable[]): Promise<void> {
  let waiting = batch;
  for (let attempt = 1; ; attempt++) {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: waiting.map(({ body, group, letter }, index) => ({
          Id: String(index),
          MessageBody: body,
          MessageGroupId: group,
          ...(letter !== undefined && {
            MessageAttributes: { [letterAttribute]: { DataType: 'String', StringValue: letter } },
          }),
        })),
      }),
    );
    const [first] = Failed;
    if (!first) return;
    if (attempt === attempts || Failed.some(({ SenderFault }) => SenderFault))
      throw new Error(`The queue ${waiting[0]?.queue} rejected ${Failed.length} messages: ${first.Code}.`);
    waiting = waiting.filter((_, index) => Failed.some(({ Id }) => Id === String(index)));
  }
}
