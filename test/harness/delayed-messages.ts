import { createHash, randomUUID } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { clock } from './clock.ts';
import { type WireRequest, watchWire } from './wire.ts';

/** A message that was sent with a delay, and when it comes into view, by the test's clock. */
export interface DelayedMessage {
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

/** The messages that no queue shows yet. */
export const delayedMessages = (): readonly DelayedMessage[] => held;

/** The queue engine goes by the machine's clock, so messages with a delay wait here and go by the test's. */
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
    // The client compares it with what it sent.
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  }));
  return { status: 200, output: operation === 'SendMessageBatch' ? { Successful: taken } : { ...taken[0] } };
}

/** Brings what is due by the test's clock into its queue. */
export async function showDueMessages(client: SQSClient): Promise<void> {
  const now = clock.now();
  const due = held.filter(({ visibleAt }) => visibleAt <= now);
  held = held.filter(({ visibleAt }) => visibleAt > now);
  for (const { url, body } of due)
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body }));
}
