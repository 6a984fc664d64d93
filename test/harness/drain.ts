import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll } from 'vitest';
import { type Consumer, consumerHandler } from '../../events/consumer.ts';
import { relayHandler } from '../../events/relay.ts';
import { isRelayed } from '../../infra/local/event-records.ts';
import { type StreamRecord, type TableStream, tableStream } from '../../infra/local/table-stream.ts';
import { consumerStatements, relayStatements } from '../../infra/rights/event-rights.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { isTriggerQueue, type QueueName, queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { table, tableName } from '../../shared/table/client.ts';
import { recordOf } from '../../shared/table/item.ts';
import { clock } from './clock.ts';
import { rejectInconsistentReads } from './consistent-reads.ts';
import { holdDelayedMessages, showDueMessages } from './delayed-messages.ts';
import { sendsTo } from './queue-sends.ts';
import { sqs } from './queues.ts';
import './rights.ts';
import { rejectSilentChanges } from './silent-changes.ts';
import { runAs } from './wire.ts';

afterAll(holdDelayedMessages());
rejectInconsistentReads();
rejectSilentChanges();

const handleRecords = relayHandler(clock.now);

/** The relay's Lambda, with the test's clock. */
export const relay = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> =>
  runAs({ functionName: 'events-relay', statements: relayStatements }, () => handleRecords(event));

/** The Lambda of a queue's consumer, with the test's clock. */
export const consumerFunction = <M>(consumer: Consumer<M>) => {
  const handler = consumerHandler(consumer, clock.now);
  const as = { functionName: `events-${consumer.queue}`, statements: consumerStatements(consumer.queue) };
  return (event: SQSEvent): Promise<SQSBatchResponse> => runAs(as, () => handler(event));
};

/**
 * Returns a function that sends events to a consumer in one batch. The function returns the failed events, which SQS
 * would deliver again.
 */
export const redeliveredBy = <M>(consumer: Consumer<M>) => {
  const consume = consumerFunction(consumer);
  return async (events: readonly Event[]): Promise<Event[]> => {
    const Records = events.map((event, n) => ({ messageId: String(n), body: JSON.stringify(event) }));
    const { batchItemFailures } = await consume({ Records } as SQSEvent);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    return events.filter((_, n) => failed.has(String(n)));
  };
};

/** Stream records that the relay has received but not confirmed. The next run of the relay receives them again. */
let unrelayed: StreamRecord[] = [];

interface Followed extends TableStream {
  tableName: string;
  /** For each shard, the iterator that reads its next records. */
  places?: (string | undefined)[];
}
let followed: Followed | undefined;

/** Returns the stream of the table in `TABLE_NAME`. The client is reused while the table is the same. */
async function streamOfTable(): Promise<Followed> {
  const name = tableName();
  if (followed?.tableName !== name) {
    const { Table } = await table.send(new DescribeTableCommand({ TableName: name }));
    const stream = tableStream(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', Table?.LatestStreamArn ?? '');
    followed = { ...stream, tableName: name };
  }
  return followed;
}

/** Returns the stream records of events and trigger messages that no earlier call has read. */
async function newRelayedRecords(): Promise<StreamRecord[]> {
  const stream = await streamOfTable();
  stream.places ??= await Promise.all(
    (await stream.shards()).map(({ id }) => stream.iterator(id, undefined)),
  );
  const found: StreamRecord[] = [];
  for (const [shard, place] of stream.places.entries()) {
    const { read, next } = await readOn(stream.records, place);
    found.push(...read);
    stream.places[shard] = next;
  }
  return found.filter(isRelayed).map(byTestClock);
}

/** Adjusts the time of a record to the test's clock, because the engine uses the clock of the machine. */
function byTestClock(record: StreamRecord): StreamRecord {
  const { ApproximateCreationDateTime: seconds, ...others } = record.dynamodb;
  if (seconds === undefined) return record;
  const ahead = Math.round((clock.now().getTime() - Date.now()) / 1000);
  return { ...record, dynamodb: { ...others, ApproximateCreationDateTime: seconds + ahead } };
}

/** The number of stream records that one request reads, unless fewer records are left. */
const mostRecords = 1000;

/** Returns all records that an iterator can read, and the iterator for later records. */
async function readOn(
  records: TableStream['records'],
  iterator: string | undefined,
): Promise<{ read: StreamRecord[]; next: string | undefined }> {
  const read: StreamRecord[] = [];
  let next = iterator;
  while (next) {
    const page = await records(next, mostRecords);
    read.push(...page.records);
    next = page.next;
    if (page.records.length < mostRecords) break;
  }
  return { read, next };
}

/** Returns the stream records of events that no earlier call has read. Discards new records of trigger messages. */
export async function newStreamRecords(): Promise<StreamRecord[]> {
  const found = await newRelayedRecords();
  return found.filter(({ dynamodb }) => dynamodb.NewImage?.type?.S === 'event');
}

/** Returns the events written since the stream was last read. */
export const newEvents = async (): Promise<Event[]> =>
  (await newStreamRecords()).map(({ dynamodb }) =>
    recordOf<Event>(unmarshall((dynamodb.NewImage ?? {}) as never)),
  );

/** Returns all records of the stream, for every kind of item. */
export const wholeStream = (): Promise<StreamRecord[]> => recordsAfter(undefined);

/** Returns the stream records after a sequence number, or all records if `after` is undefined. */
export async function recordsAfter(after: string | undefined): Promise<StreamRecord[]> {
  const { shards, iterator, records } = await streamOfTable();
  const found: StreamRecord[] = [];
  for (const { id } of await shards()) found.push(...(await readOn(records, await iterator(id, after))).read);
  return found;
}

/**
 * Runs the real relay and consumers until the stream has no new records and every queue is empty. Delayed messages are
 * delivered when they are due by the test's clock. If a drain is killed, the next drain does the remaining work. The
 * `stopped` queue is not drained.
 */
export async function drain({ stopped }: { stopped?: QueueName } = {}): Promise<void> {
  unrelayed.push(...(await newRelayedRecords()));
  do {
    await relayAll();
    await drainQueues({ stopped });
    unrelayed.push(...(await newRelayedRecords()));
  } while (unrelayed.length > 0);
}

async function relayAll(): Promise<void> {
  while (unrelayed.length > 0) {
    const batch = unrelayed.slice(0, 100);
    await relayBatch(batch);
    unrelayed = unrelayed.slice(batch.length);
  }
}

/**
 * Relays these records and drains the queues. If `alone` is true, the queues that trigger work queues are not drained,
 * so new work items are not processed.
 */
export async function deliver(records: readonly StreamRecord[], { alone = false } = {}): Promise<void> {
  for (let start = 0; start < records.length; start += 100)
    await relayBatch(records.slice(start, start + 100));
  await drainQueues({ alone });
}

async function relayBatch(records: readonly StreamRecord[]): Promise<void> {
  const { batchItemFailures } = await relay({ Records: records } as DynamoDBStreamEvent);
  if (batchItemFailures.length > 0) throw new Error('The relay could not send every event');
}

/** Runs consumers until every queue is empty, including messages that consumers send. */
export const drainQueues = (only: Drained = {}): Promise<void> => untilEmpty(consumeBatch, only);

/**
 * Restricts which messages are drained. `alone` excludes delayed messages and the queues that trigger work queues.
 * `undelayed` excludes delayed messages. `stopped` excludes one queue.
 */
interface Drained {
  alone?: boolean;
  undelayed?: boolean;
  stopped?: QueueName;
}

/**
 * Drains the queues with repeated and unordered delivery, as SQS allows. Each message is delivered one to five times,
 * in random order and in batches of one to ten messages. `random` returns numbers from 0 to less than 1.
 */
export const drainInDisorder = async (random: () => number): Promise<void> => {
  unrelayed.push(...(await newRelayedRecords()));
  do {
    await relayAll();
    await untilEmpty((queue) => consumeInDisorder(queue, random));
    unrelayed.push(...(await newRelayedRecords()));
  } while (unrelayed.length > 0);
};

const sendsOf = (queue: QueueName): number => sendsTo(process.env[queueUrlVariable(queue)]);
/** The result of `sendsOf` for each queue when the queue was last empty. A queue is read again only after new sends. */
const emptyAfter = new Map<QueueName, number>();

async function untilEmpty(
  consumeSome: (queue: QueueName) => Promise<boolean>,
  { alone = false, undelayed = alone, stopped }: Drained = {},
): Promise<void> {
  const queues = queueNames.filter((name) => name !== stopped && !(alone && isTriggerQueue(name)));
  for (;;) {
    if (!undelayed) await showDueMessages(sqs);
    const asked = queues.filter((queue) => sendsOf(queue) !== emptyAfter.get(queue));
    if (asked.length === 0) return;
    await Promise.all(
      asked.map(async (queue) => {
        const before = sendsOf(queue);
        if (await consumeSome(queue)) emptyAfter.set(queue, before);
      }),
    );
  }
}

/** The number of messages that one request receives, unless the queue contains fewer messages. */
const mostMessages = 10;

/** Receives and deletes all messages of a queue without handling them. */
export async function takeMessages(queue: QueueName): Promise<Message[]> {
  const QueueUrl = process.env[queueUrlVariable(queue)];
  const all: Message[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: mostMessages }),
    );
    if (Messages.length > 0) await remove(QueueUrl, Messages);
    all.push(...Messages);
    if (Messages.length < mostMessages) return all;
  }
}

/** Receives all messages of a queue and handles each message one to five times, in random order. Returns true. */
async function consumeInDisorder(queue: QueueName, random: () => number): Promise<boolean> {
  const all = await takeMessages(queue);
  const copies = all
    .flatMap((message) => Array.from({ length: 1 + Math.floor(random() * 5) }, () => message))
    .map((message) => ({ message, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ message }, index) => ({ ...asRecord(message), messageId: String(index) }));
  while (copies.length > 0) await handle(queue, copies.splice(0, 1 + Math.floor(random() * 10)));
  return true;
}

const consumers = new Map<QueueName, (event: SQSEvent) => Promise<SQSBatchResponse>>();

/** The Lambda that consumes a queue. */
async function consumerOf(queue: QueueName): Promise<(event: SQSEvent) => Promise<SQSBatchResponse>> {
  const { default: consumer } = (await import(`../../events/consumers/${queue}.ts`)) as { default: Consumer };
  const known = consumers.get(queue) ?? consumerFunction(consumer);
  consumers.set(queue, known);
  return known;
}

/** Handles up to ten messages. Returns true if there were no other messages. Throws if a message fails. */
async function consumeBatch(queue: QueueName): Promise<boolean> {
  const QueueUrl = process.env[queueUrlVariable(queue)];
  // With a visibility timeout of 0, the next drain can immediately receive the messages of a killed function. Messages
  // that were handled are deleted before the next request.
  const taking = { QueueUrl, MaxNumberOfMessages: mostMessages, VisibilityTimeout: 0 };
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(taking));
  if (Messages.length > 0) {
    await handle(queue, Messages.map(asRecord));
    await remove(QueueUrl, Messages);
  }
  return Messages.length < mostMessages;
}

async function handle(queue: QueueName, records: readonly object[]): Promise<void> {
  const consume = await consumerOf(queue);
  const { batchItemFailures } = await consume({ Records: records } as SQSEvent);
  if (batchItemFailures.length > 0) throw new Error(`${queue} could not handle every message`);
}

async function remove(QueueUrl: string | undefined, messages: readonly Message[]): Promise<void> {
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
}

const asRecord = ({ MessageId: messageId, Body: body }: Message) => ({ messageId, body });
