import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Invoke } from './lambda.ts';
import { repeatUntil } from './polling.ts';

interface QueuePollerOptions {
  client: SQSClient;
  queue: { name: string; url: string };
  consumer: Invoke;
  /** Batches at once. */
  concurrency?: number;
  /** A message was handled and deleted. */
  done: (message: Message) => void;
}

/** A poller, ended by `stop`, which resolves when the batches in hand are dealt with. */
export interface Poller {
  stop(): Promise<void>;
}

/**
 * Polls a queue and hands batches of up to ten to its consumer as Lambda's event source mapping does, several at once: what
 * the consumer reports as failed, or everything when it throws, stays in the queue, comes again after the visibility
 * timeout, and ends in the dead-letter queue after too many receives; the rest is deleted.
 */
export function startQueuePoller({
  client,
  queue,
  consumer,
  concurrency = 1,
  done,
}: QueuePollerOptions): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const inHand = new Set<Promise<void>>();
  const polling = repeatUntil(signal, `The queue ${queue.name}`, async () => {
    while (inHand.size >= concurrency) await Promise.race(inHand);
    const messages = await receive(client, queue.url, signal);
    if (messages.length === 0) return 'again';
    const batch = dealWith(messages).finally(() => inHand.delete(batch));
    inHand.add(batch);
    return 'again';
  });

  /** Never rejects: what could not be deleted comes again. */
  async function dealWith(messages: Message[]): Promise<void> {
    const failed = failedOf(messages, await consume(messages));
    const handled = messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
    try {
      if (handled.length > 0) await remove(client, queue.url, handled);
      for (const message of handled) done(message);
    } catch (error) {
      console.error(`Messages of ${queue.name} were handled and come again: ${(error as Error).message}`);
    }
  }

  async function consume(messages: Message[]): Promise<SQSBatchResponse | null | undefined | 'threw'> {
    try {
      const response = await consumer({ Records: messages.map((message) => recordOf(message, queue.name)) });
      return response as SQSBatchResponse | null | undefined;
    } catch (error) {
      console.error(
        `The consumer of ${queue.name} failed: ${error instanceof Error ? error.message : error}`,
      );
      return 'threw';
    }
  }

  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(inHand);
    },
  };
}

/** The messages that must come again. A failure that names none of them counts as the failure of all. */
function failedOf(messages: Message[], response: SQSBatchResponse | null | undefined | 'threw'): Set<string> {
  const all = new Set(messages.map(({ MessageId = '' }) => MessageId));
  if (response === 'threw') return all;
  const failed = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
}

/** Waits up to 20 s for messages, or until the signal. */
export async function receive(client: SQSClient, url: string, signal: AbortSignal): Promise<Message[]> {
  const input = {
    QueueUrl: url,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All' as const],
    MessageAttributeNames: ['All'],
  };
  const { Messages = [] } = await client.send(new ReceiveMessageCommand(input), { abortSignal: signal });
  return Messages;
}

/** Deletes up to ten messages. Throws when SQS did not take one of them. */
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
