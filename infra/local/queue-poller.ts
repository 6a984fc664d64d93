import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Invoke } from './lambda.ts';
import { abortableSleep, errorLine, type Poller, startPoller } from './polling.ts';

interface QueuePollerOptions {
  client: SQSClient;
  queue: { name: string; url: string };
  consumer: Invoke;
  /** The maximum number of batches in progress at the same time. Default 1. */
  concurrency?: number;
  /** Called after a message was handled and deleted. */
  done: (message: Message) => void;
}

/** The maximum number of messages in a batch: SQS's limit. */
const batchSize = 10;
/** The wait after an incomplete batch, in milliseconds. During the wait, messages for the next batch can arrive. */
const batchingWindow = 50;

/**
 * Polls a queue and passes batches of up to ten messages to its consumer, like Lambda's event source mapping. Deletes
 * handled messages. Keeps the messages that the consumer reports as failed, or all messages if the consumer throws.
 * Kept messages become visible after the visibility timeout, and move to the dead-letter queue after too many receives.
 */
export function startQueuePoller({
  client,
  queue,
  consumer,
  concurrency = 1,
  done,
}: QueuePollerOptions): Poller {
  const inProgress = new Set<Promise<void>>();
  const poller = startPoller(`Polling the queue ${queue.name}`, async (signal) => {
    while (inProgress.size >= concurrency) await Promise.race(inProgress);
    const messages = await receive(client, queue.url, signal);
    if (messages.length === 0) return;
    const batch = handle(messages).finally(() => inProgress.delete(batch));
    inProgress.add(batch);
    if (messages.length < batchSize) await abortableSleep(signal, batchingWindow);
  });

  async function handle(messages: Message[]): Promise<void> {
    const failed = await failedIds(messages);
    const handled = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
    try {
      if (handled.length > 0) await remove(client, queue.url, handled);
      for (const message of handled) done(message);
    } catch (error) {
      console.error(
        `Handled messages of ${queue.name} were not deleted and will be received again: ${errorLine(error)}`,
      );
    }
  }

  /** Returns the ids of the failed messages: all ids if the consumer throws or reports an unknown id. */
  async function failedIds(messages: Message[]): Promise<Set<string>> {
    const all = new Set(messages.map(({ MessageId = '' }) => MessageId));
    try {
      const response = await consumer({ Records: messages.map((message) => recordOf(message, queue.name)) });
      const { batchItemFailures = [] } = (response ?? {}) as Partial<SQSBatchResponse>;
      const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      return failed.every((id) => all.has(id)) ? new Set(failed) : all;
    } catch (error) {
      console.error(`The consumer of ${queue.name} failed: ${errorLine(error)}`);
      return all;
    }
  }

  return {
    async stop() {
      await poller.stop();
      await Promise.all(inProgress);
    },
  };
}

/** Waits up to 20 s for messages, or until the signal aborts. */
export async function receive(client: SQSClient, url: string, signal: AbortSignal): Promise<Message[]> {
  const input = {
    QueueUrl: url,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All' as const],
    MessageAttributeNames: ['All'],
  };
  const { Messages = [] } = await client.send(new ReceiveMessageCommand(input), { abortSignal: signal });
  return Messages;
}

/** Deletes up to ten messages. Throws if SQS did not delete all of them. */
export async function remove(client: SQSClient, url: string, messages: Message[]): Promise<void> {
  const { Failed = [] } = await client.send(
    new DeleteMessageBatchCommand({
      QueueUrl: url,
      Entries: messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
    }),
  );
  if (Failed.length > 0) throw new Error(`${Failed.length} messages were not deleted: ${Failed[0]?.Message}`);
}

function recordOf(message: Message, queue: string): SQSRecord {
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: message.Attributes as SQSRecord['attributes'],
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
    awsRegion: 'us-east-1',
  };
}
