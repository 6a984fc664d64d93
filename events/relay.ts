import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Event } from '../shared/events/envelope.ts';
import { recordOf } from '../shared/table/item.ts';
import { isEvent } from './consumer.ts';
import { queueNames, queuesFor, queueUrlVariable } from './routing.ts';

/** By the region's endpoint, not by a queue URL's host: a local engine names hosts that nobody resolves. */
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
/** SQS takes ten messages and one mebibyte in a batch; an event is far below a tenth of that. */
const batchSize = 10;

interface Message {
  sequenceNumber: string;
  body: string;
}

/**
 * The Lambda between the table's stream and the queues: sends each event to the queues that events/routing.ts
 * names. A record that holds no readable event goes unchanged to the relay's own dead-letter queue, so that it never
 * blocks the others. Returns the lowest sequence number that was not sent; Lambda continues from there, so an
 * event may be sent twice and is never left out.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const outgoing = new Map<string, Message[]>();
  for (const record of Records) {
    for (const { url, body } of messagesOf(record)) {
      const messages = outgoing.get(url) ?? [];
      messages.push({ sequenceNumber: record.dynamodb?.SequenceNumber ?? '', body });
      outgoing.set(url, messages);
    }
  }
  const sent = await Promise.all([...outgoing].map(([url, messages]) => sendAll(url, messages)));
  const [first] = sent.flat().sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
  return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
}

function messagesOf(record: DynamoDBRecord): { url: string; body: string }[] {
  const readable = readEvent(record);
  if (!readable) return [{ url: urlFrom('RELAY_DEAD_LETTER_URL'), body: messageBody(record) }];
  return queuesFor(readable.event).map((queue) => ({
    url: urlFrom(queueUrlVariable(queue)),
    body: readable.body,
  }));
}

function readEvent(record: DynamoDBRecord): { event: Event; body: string } | undefined {
  try {
    const image = record.dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
    const event = image && recordOf<unknown>(unmarshall(image));
    return isEvent(event) ? { event, body: messageBody(event) } : undefined;
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
            Entries: batch.map(({ body }, index) => ({ Id: String(index), MessageBody: body })),
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
