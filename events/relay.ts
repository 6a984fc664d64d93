import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { queueNames, queueUrlVariable } from '../shared/events/queues.ts';
import { eventInItem } from '../shared/events/read-event.ts';
import { wakeUpBody, wakeUpInItem } from '../shared/events/wake-up.ts';
import { queuesFor } from './routing.ts';

/** By the region's endpoint, not by a queue URL's host: a local engine names hosts that nobody resolves. */
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
/** SQS takes ten messages and one mebibyte in a batch; an event is far below a tenth of that. */
const batchSize = 10;

/** What is to be sent to a queue. */
interface Outgoing {
  url: string;
  body: string;
  /** The account, where accounts share a queue fairly. */
  group?: string;
}

interface Message extends Outgoing {
  sequenceNumber: string;
}

/**
 * The Lambda between the table's stream and the queues: sends each event to the queues that events/routing.ts
 * names, and each wake-up to its own. A record that holds neither goes unchanged to the relay's own dead-letter queue, so
 * that it never blocks the others. Returns the lowest sequence number that was not sent; Lambda continues from there, so an
 * event may be sent twice and is never left out.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const outgoing = new Map<string, Message[]>();
  for (const record of Records) {
    for (const message of messagesOf(record)) {
      const messages = outgoing.get(message.url) ?? [];
      messages.push({ ...message, sequenceNumber: record.dynamodb?.SequenceNumber ?? '' });
      outgoing.set(message.url, messages);
    }
  }
  const sent = await Promise.all([...outgoing].map(([url, messages]) => sendAll(url, messages)));
  const [first] = sent.flat().sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
  return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
}

function messagesOf(record: DynamoDBRecord): Outgoing[] {
  return readMessages(record) ?? [{ url: urlFrom('RELAY_DEAD_LETTER_URL'), body: messageBody(record) }];
}

/** Undefined of a record that holds neither an event nor a wake-up. */
function readMessages(record: DynamoDBRecord): Outgoing[] | undefined {
  try {
    const item = unmarshall(record.dynamodb?.NewImage as Record<string, AttributeValue>);
    const event = eventInItem(item);
    if (event) {
      const body = messageBody(event);
      return queuesFor(event).map((queue) => ({ url: urlFrom(queueUrlVariable(queue)), body }));
    }
    const woken = wakeUpInItem(item);
    if (!woken) return undefined;
    const { queue, wakeUp } = woken;
    return [{ url: urlFrom(queueUrlVariable(queue)), body: wakeUpBody(wakeUp), group: wakeUp.account }];
  } catch {
    return undefined;
  }
}

/**
 * JSON in characters that SQS accepts. SQS rejects U+FFFE and U+FFFF, which anybody can put into a name and which
 * would then block the stream, and some engines reject what is beyond the basic plane.
 */
const messageBody = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\ud800-\udfff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );

/** Sends messages by tens, and returns the sequence numbers of those that SQS did not say it took. */
async function sendAll(url: string, messages: Message[]): Promise<string[]> {
  const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, n) =>
    messages.slice(n * batchSize, (n + 1) * batchSize),
  );
  const unsent = await Promise.all(
    batches.map(async (batch) => {
      try {
        const { Successful = [] } = await sqs.send(
          new SendMessageBatchCommand({
            QueueUrl: url,
            Entries: batch.map(({ body, group }, index) => ({
              Id: String(index),
              MessageBody: body,
              MessageGroupId: group,
            })),
          }),
        );
        const taken = new Set(Successful.map(({ Id }) => Id));
        return batch.filter((_, index) => !taken.has(String(index)));
      } catch {
        return batch;
      }
    }),
  );
  return unsent.flat().map(({ sequenceNumber }) => sequenceNumber);
}

function urlFrom(variable: string): string {
  const url = process.env[variable];
  if (!url)
    throw new Error(`${variable} is not set: the relay needs a URL for each of ${queueNames.join(', ')}.`);
  return url;
}
