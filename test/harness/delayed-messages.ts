import { createHash, randomUUID } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { clock } from './clock.ts';
import { type WireRequest, watchWire } from './wire.ts';

/** A delayed message and the time, by the test's clock, at which it becomes visible. */
interface DelayedMessage {
  url: string;
  body: string;
  visibleAt: Date;
}

interface SentMessage {
  Id?: string;
  MessageBody: string;
  DelaySeconds?: number;
}

let held: DelayedMessage[] = [];

/** The delayed messages that are not yet visible in a queue. */
export const delayedMessages = (): readonly DelayedMessage[] => held;

/**
 * Holds delayed messages back until `showDueMessages` sends those that are due by the test's clock. The queue
 * engine would use the machine's clock instead. Returns a function that ends this.
 */
export const holdDelayedMessages = (): (() => void) => watchWire({ respond: hold });

function hold({ service, operation, input }: WireRequest) {
  const url = String(input.QueueUrl);
  const messages = (operation === 'SendMessageBatch' ? input.Entries : [input]) as SentMessage[];
  if (service !== 'sqs' || !operation.startsWith('SendMessage')) return undefined;
  if (!messages.some(({ DelaySeconds = 0 }) => DelaySeconds > 0)) return undefined;
  const now = clock.now().getTime();
  for (const { MessageBody: body, DelaySeconds = 0 } of messages)
    held.push({ url, body, visibleAt: new Date(now + DelaySeconds * 1000) });
  const taken = messages.map(({ Id, MessageBody }) => ({
    Id,
    MessageId: randomUUID(),
    // The SDK compares this digest with the body it sent.
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  }));
  return { status: 200, output: operation === 'SendMessageBatch' ? { Successful: taken } : { ...taken[0] } };
}

/** Sends to their queues the held messages that are due by the test's clock. */
export async function showDueMessages(client: SQSClient): Promise<void> {
  const now = clock.now();
  const due = held.filter(({ visibleAt }) => visibleAt <= now);
  held = held.filter(({ visibleAt }) => visibleAt > now);
  for (const { url, body } of due)
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body }));
}
