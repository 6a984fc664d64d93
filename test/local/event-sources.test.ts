import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { handler as relay } from '../../events/relay.ts';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import { type EventSources, startEventSources } from '../../infra/local/event-sources.ts';
import type { Invoke } from '../../infra/local/lambda.ts';
import { startQueuePoller } from '../../infra/local/queue-poller.ts';
import { type Queues, startQueues } from '../../infra/local/queues.ts';
import { type TableStream, tableStream } from '../../infra/local/table-stream.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { triggerItemWrite } from '../../shared/events/trigger-message.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { anEvent } from '../harness/an-event.ts';
import { documents } from '../harness/documents.ts';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const dynamoDb = new DynamoDBClient({});
const sqs = await startQueues();
process.env.AWS_ENDPOINT_URL_SQS = sqs.endpoint;
afterAll(sqs.stop);

let queues: Queues;
let tableName = '';
let folder = '';
let stream: TableStream;
let running: EventSources | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'merchant-ops-event-sources-'));
  // Each test has its own queues, because a poll that a test has stopped may still receive one more message.
  const prefix = folder.slice(-6);
  queues = await startQueues({ endpoint: sqs.endpoint, prefix, visibilitySeconds: 1, maxReceiveCount: 2 });
  process.env.RELAY_DEAD_LETTER_URL = queues.relayDeadLetterUrl;
  for (const { name, url } of queues.queues) process.env[queueUrlVariable(name)] = url;
  tableName = `event-sources-${prefix}`;
  await createTable(dynamoDb, tableName);
  stream = tableStream(endpoint, await streamArnOf(dynamoDb, tableName));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

const idOf = ({ body }: SQSRecord): number => (JSON.parse(body) as Event).id;

/** The consumer of each queue for which a test defines no consumer. */
const acceptAll: Invoke = async () => undefined;

function start(
  consumer: (ids: number[], messages: SQSRecord[]) => number[] | Promise<number[]>,
  invokeRelay: Invoke = relay as Invoke,
  jobs: Invoke = acceptAll,
): EventSources {
  const consume: Invoke = async (event) => {
    const { Records } = event as SQSEvent;
    const failed = await consumer(Records.map(idOf), Records);
    const again = Records.filter((message) => failed.includes(idOf(message)));
    return {
      batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })),
    } satisfies SQSBatchResponse;
  };
  running = startEventSources({
    stream,
    queues,
    relay: invokeRelay,
    consumers: new Map<string, Invoke>(
      queues.queues.map(({ name }) => [
        name,
        name === 'audit' ? consume : name === 'jobs' ? jobs : acceptAll,
      ]),
    ),
    deadLetterFolder: join(folder, 'dead-letters'),
    checkpointPath: checkpointPath(),
    idleDelay: 20,
    firstBackoff: 10,
  });
  return running;
}

/**
 * Calls `start` with a consumer that accepts all messages. Returns an array that collects the ids of their
 * events.
 */
function startCollecting(invokeRelay?: Invoke): number[] {
  const seen: number[] = [];
  start((ids) => {
    seen.push(...ids);
    return [];
  }, invokeRelay);
  return seen;
}

/**
 * Sends these messages to the first queue and starts a poller for this queue. Returns an array that collects
 * the bodies of the handled messages.
 */
async function pollFirstQueue(
  bodies: string[],
  options: Omit<Parameters<typeof startQueuePoller>[0], 'client' | 'queue' | 'done'>,
  client = new SQSClient({ endpoint: sqs.endpoint }),
): Promise<string[]> {
  const [queue] = queues.queues;
  if (!queue) throw new Error('There is no queue');
  for (const MessageBody of bodies)
    await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody }));
  const done: string[] = [];
  const poller = startQueuePoller({
    ...options,
    client,
    queue,
    done: ({ Body = '' }) => void done.push(Body),
  });
  onTestFinished(async () => {
    await poller.stop();
    client.destroy();
  });
  return done;
}

/**
 * Hides logged errors. Returns a function that returns the logged errors that contain a text, because a slow engine may
 * also log other errors.
 */
function loggedErrors(): (text: string) => string[] {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  return (text) => logged.mock.calls.map(String).filter((line) => line.includes(text));
}

async function write(id: number, changes: object = {}, accountId = 'acc_1' as AccountId): Promise<void> {
  const item = { ...eventKey(accountId, id), type: 'event', ...anEvent({ id, accountId }), ...changes };
  await documents.send(new PutCommand({ TableName: tableName, Item: item }));
}

const checkpointPath = () => join(folder, 'checkpoint.json');
/** Empties the queues. The end of the process has the same effect, because the queues are in memory. */
async function purgeQueues(): Promise<void> {
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  for (const { url } of queues.queues) await client.send(new PurgeQueueCommand({ QueueUrl: url }));
  client.destroy();
}
const range = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);
const deadLetters = (queue: string) =>
  readdirSync(join(folder, 'dead-letters', queue)).map((name) =>
    JSON.parse(readFileSync(join(folder, 'dead-letters', queue, name), 'utf8')),
  );
/** The number of stream records up to the checkpoint, including the record at the checkpoint. */
async function checkpointed(): Promise<number> {
  const position = checkpoint();
  const numbers: string[] = [];
  for (const { id } of await stream.shards()) {
    const page = await stream.records(await stream.iterator(id, undefined), 1000);
    numbers.push(...page.records.map(({ dynamodb }) => dynamodb.SequenceNumber));
  }
  return numbers.indexOf(position ?? '') + 1;
}
const checkpoint = (): string | undefined => {
  const path = checkpointPath();
  return existsSync(path)
    ? (Object.values(JSON.parse(readFileSync(path, 'utf8')).positions)[0] as string)
    : undefined;
};

test('the relay ignores changes of events, and items that are not events', async () => {
  const seen = startCollecting();
  await documents.send(new PutCommand({ TableName: tableName, Item: { pk: 'a', sk: 'b', type: 'lead' } }));
  await write(1);
  await write(1, { touched: true });
  await running?.settled();
  expect(seen).toEqual([1]);
  expect(await checkpointed()).toBe(3);
});

test('a record without a readable event becomes a dead letter of the relay, and the other records are delivered', async () => {
  await write(1);
  await write(2, { kind: 'unknown_kind' });
  await write(3);
  const seen = startCollecting();
  await running?.settled();
  expect(seen.sort()).toEqual([1, 3]);
  expect(deadLetters('relay')).toMatchObject([
    { eventName: 'INSERT', dynamodb: { NewImage: { kind: { S: 'unknown_kind' } } } },
  ]);
  expect(await checkpointed()).toBe(3);
});

test('a consumer that throws receives the whole batch again', async () => {
  const batches: number[][] = [];
  await Promise.all(range(3).map((id) => write(id)));
  start((ids) => {
    batches.push(ids.sort());
    if (batches.length === 1) throw new Error('once');
    return [];
  });
  await running?.settled();
  expect(batches.flat().sort()).toEqual([1, 1, 2, 2, 3, 3]);
});

test('the checkpoint never passes an unfinished event, so after a crash, all unfinished events are handled', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await Promise.all(range(5).map((id) => write(id)));
  const before = start(async (ids) => {
    if (ids.includes(5)) await held;
    return [5, ...ids.filter((id) => id > 2)];
  });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await checkpointed()).toBeLessThan(5);
  release();
  await before.stop();
  const reached = await checkpointed();
  expect(reached).toBeLessThan(5);

  await purgeQueues();
  const again = new Set<number>();
  start((ids) => {
    for (const id of ids) again.add(id);
    return [];
  });
  await running?.settled();
  expect(again.size).toBe(5 - reached);
  expect(await checkpointed()).toBe(5);
});

test('a relay that fails temporarily delays events but loses no event', async () => {
  let calls = 0;
  await Promise.all(range(120).map((id) => write(id)));
  const seen = startCollecting(async (event) => {
    calls += 1;
    if (calls <= 3) throw new Error('not yet');
    return (relay as Invoke)(event);
  });
  await running?.settled();
  expect(new Set(seen).size).toBe(120);
  expect(await checkpointed()).toBe(120);
});

test('only failed messages of a batch are received again, and become dead letters after five receives', async () => {
  // Starts queues that deliver a message at most five times, as in the runner, but with a visibility timeout of 0.
  const prefix = `five-${folder.slice(-6)}`;
  queues = await startQueues({ endpoint: sqs.endpoint, prefix, visibilitySeconds: 0 });
  process.env.RELAY_DEAD_LETTER_URL = queues.relayDeadLetterUrl;
  for (const { name, url } of queues.queues) process.env[queueUrlVariable(name)] = url;
  await Promise.all(range(10).map((id) => write(id)));
  const receives = new Map<number, string[]>();
  start((_, messages) => {
    for (const message of messages) {
      const counts = receives.get(idOf(message)) ?? [];
      receives.set(idOf(message), [...counts, message.attributes.ApproximateReceiveCount]);
    }
    return [3, 7];
  });
  await running?.settled();
  const fiveTimes = ['1', '2', '3', '4', '5'];
  expect([...receives].sort(([first], [second]) => first - second)).toEqual(
    range(10).map((id) => [id, id === 3 || id === 7 ? fiveTimes : ['1']]),
  );
  expect(
    deadLetters('audit')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([3, 7]);
  expect(await checkpointed()).toBe(10);
});

test('after a crash between delivery and checkpoint, only events after the checkpoint are handled again', async () => {
  const handled: number[] = [];
  const consumer = (ids: number[]) => {
    handled.push(...ids);
    return [];
  };
  await Promise.all(range(3).map((id) => write(id)));
  const before = start(consumer);
  await before.settled();
  const firstCheckpoint = readFileSync(checkpointPath());
  for (const id of range(3, 4)) await write(id);
  await before.settled();
  await before.stop();
  expect(handled.sort()).toEqual(range(6));

  // Restores the state after a crash before the second checkpoint.
  writeFileSync(checkpointPath(), firstCheckpoint);
  await purgeQueues();
  handled.length = 0;
  await start(consumer).settled();
  expect(handled.sort()).toEqual([4, 5, 6]);
  expect(await checkpointed()).toBe(6);
});

test('a checkpoint that cannot be written is logged once, delays no event, and is written later', async () => {
  const logged = loggedErrors();
  // A folder at the path of the temporary file makes the write fail.
  mkdirSync(`${checkpointPath()}.tmp`);
  const seen = startCollecting();
  await write(1);
  await running?.settled();
  await write(2);
  await running?.settled();
  expect(seen).toEqual([1, 2]);
  expect(existsSync(checkpointPath())).toBe(false);
  expect(logged('The checkpoint')).toEqual([
    expect.stringMatching(/^The checkpoint cannot be written, retrying: .*EISDIR/),
  ]);

  rmSync(`${checkpointPath()}.tmp`, { recursive: true });
  await running?.stop();
  expect(await checkpointed()).toBe(2);
});

test('if the iterator expires during a short outage of the stream, no event is lost or repeated', async () => {
  const logged = loggedErrors();
  const { iterator, records } = stream;
  // Numbers the iterators. The second read and all later reads with the same iterator fail, as if the iterator had
  // expired.
  let [created, reads, expired] = [0, 0, ''];
  stream.iterator = async (...from) => `${++created} ${await iterator(...from)}`;
  stream.records = async (from, limit) => {
    reads += 1;
    const [number = '', real = ''] = from.split(' ');
    if (reads === 2) expired = number;
    if (number === expired) throw new Error('unavailable');
    const { next, ...page } = await records(real, limit);
    return { ...page, next: next && `${number} ${next}` };
  };
  const seen = startCollecting();
  for (const id of range(5)) await write(id);
  await expect.poll(() => seen.length).toBe(5);
  await running?.settled();
  expect(seen.sort()).toEqual(range(5));
  expect(logged('unavailable')).toEqual([
    expect.stringMatching(/^Reading .* failed, retrying every second: unavailable$/),
  ]);
});

test('a handled message that cannot be deleted stays unfinished and is received again', async () => {
  loggedErrors();
  const client = new SQSClient({ endpoint: sqs.endpoint });
  let errors = 1;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'DeleteMessageBatchCommand' && errors-- > 0) throw new Error('not now');
        return next(args);
      },
    { step: 'initialize' },
  );
  let receives = 0;
  const done = await pollFirstQueue(['a'], { consumer: async () => void receives++ }, client);
  await expect.poll(() => [receives, done]).toEqual([2, ['a']]);
});

test('if a consumer reports the failure of an unknown message, the whole batch is received again', async () => {
  let receives = 0;
  const done = await pollFirstQueue(['a'], {
    consumer: async () => ({ batchItemFailures: receives++ === 0 ? [{ itemIdentifier: 'other' }] : [] }),
  });
  await expect.poll(() => [receives, done]).toEqual([2, ['a']]);
});

/** Writes a trigger message as a transaction would, and returns its item's id. */
async function writeTrigger(): Promise<number> {
  const of = { account: 'acc_1' as AccountId, workQueue: 'JOBS' };
  const write = triggerItemWrite('jobs', of, new Date());
  const item = 'operation' in write && 'Put' in write.operation ? write.operation.Put?.Item : undefined;
  if (!item) throw new Error('The write of a trigger message is not a put');
  await documents.send(new PutCommand({ TableName: tableName, Item: item }));
  return Number(item.id);
}

test('if events of two accounts have the same id, the checkpoint passes them only after both are handled', async () => {
  const seen: string[] = [];
  start((_, messages) => {
    seen.push(...messages.map(({ body }) => (JSON.parse(body) as Event).accountId));
    return [];
  });
  await write(1);
  await write(1, {}, 'acc_2' as AccountId);
  await running?.settled();
  expect(seen.sort()).toEqual(['acc_1', 'acc_2']);
  expect(await checkpointed()).toBe(2);
});

test('the checkpoint passes a trigger message only after the message is handled, so that a crash does not lose the message', async () => {
  const handled: unknown[] = [];
  let hold: Promise<void> | undefined = new Promise(() => {});
  const jobs: Invoke = async (event) => {
    const bodies = (event as SQSEvent).Records.map(({ body }) => JSON.parse(body));
    if (hold) throw new Error('not now');
    handled.push(...bodies);
  };
  const before = start(() => [], undefined, jobs);
  const ids = [await writeTrigger(), await writeTrigger()];
  await write(1);
  await expect.poll(() => checkpoint()).toBeUndefined();
  await before.stop();
  expect(await checkpointed()).toBe(0);

  await purgeQueues();
  hold = undefined;
  start(() => [], undefined, jobs);
  await running?.settled();
  expect(handled).toEqual(
    expect.arrayContaining(ids.map((id) => ({ trigger: { account: 'acc_1', workQueue: 'JOBS', id } }))),
  );
  expect(await checkpointed()).toBe(3);
});

test('a message that its queue rejects becomes a dead letter of the relay, and the checkpoint passes the event', async () => {
  const client = new SQSClient({ useQueueUrlAsEndpoint: false, endpoint: sqs.endpoint });
  const body = JSON.stringify(anEvent({ id: 1 }));
  const parked = ['audit', 'search', 'notifications', 'webhooks'].map((queue) => ({ queue, body }));
  const park: Invoke = async () => {
    for (const message of parked) {
      const input = { QueueUrl: queues.relayDeadLetterUrl, MessageBody: JSON.stringify(message) };
      await client.send(new SendMessageCommand(input));
    }
  };
  start(() => [], park);
  await write(1);
  await running?.settled();
  expect(deadLetters('relay')).toHaveLength(parked.length);
  expect(deadLetters('relay')).toEqual(expect.arrayContaining(parked));
  expect(await checkpointed()).toBe(1);
  client.destroy();
});

test('the poller of a queue handles as many batches at the same time as its concurrency allows, and no more', async () => {
  let [active, most] = [0, 0];
  let releasing: NodeJS.Timeout | undefined;
  // Vitest runs clean-ups in reverse order, so this one runs after the poller has stopped. Until then, the
  // interval must release the batches for which the poller waits.
  onTestFinished(() => clearInterval(releasing));
  const held: (() => void)[] = [];
  const release = () => held.splice(0).forEach((resolve) => void resolve());
  const consumer = async () => {
    most = Math.max(most, ++active);
    await new Promise<void>((resolve) => held.push(resolve));
    active -= 1;
  };
  const handled = await pollFirstQueue(range(45).map(String), { concurrency: 3, consumer });
  await expect.poll(() => active).toBe(3);
  releasing = setInterval(release, 5);
  await expect.poll(() => new Set(handled).size).toBe(45);
  expect(most).toBe(3);
});

test('the file of a redriven dead letter is deleted only when its message is handled', async () => {
  const letters = join(folder, 'dead-letters');
  mkdirSync(join(letters, 'audit'), { recursive: true });
  mkdirSync(join(letters, 'relay'), { recursive: true });
  const parked = { queue: 'audit', body: JSON.stringify(anEvent({ id: 2 })) };
  // `npm run ops -- dead-letters redrive` creates files with the suffix `.redrive`.
  writeFileSync(join(letters, 'audit', 'one.redrive'), JSON.stringify(anEvent({ id: 1 })));
  writeFileSync(join(letters, 'relay', 'two.redrive'), JSON.stringify(parked));
  writeFileSync(join(letters, 'relay', 'three.redrive'), 'not a message');
  writeFileSync(join(letters, 'audit', 'four.json'), JSON.stringify(anEvent({ id: 4 })));
  const held: (() => void)[] = [];
  const seen: number[] = [];
  start(async (ids) => {
    seen.push(...ids);
    if (held.length < 2) await new Promise<void>((resolve) => held.push(resolve));
    return [];
  });
  await expect.poll(() => seen.toSorted()).toEqual([1, 2]);
  const files = () =>
    readdirSync(letters, { recursive: true, encoding: 'utf8' }).filter((name) => /\./.test(name));
  await expect
    .poll(() => files().sort())
    .toEqual(['audit/four.json', 'audit/one.redrive', 'relay/three.json', 'relay/two.redrive']);
  for (const letGo of held) letGo();
  await expect.poll(() => files().sort()).toEqual(['audit/four.json', 'relay/three.json']);
});

test('if a redriven message fails again, one new dead letter replaces the old dead letter', async () => {
  mkdirSync(join(folder, 'dead-letters', 'audit'), { recursive: true });
  writeFileSync(join(folder, 'dead-letters', 'audit', 'one.redrive'), JSON.stringify(anEvent({ id: 1 })));
  start((ids) => ids);
  const names = () => readdirSync(join(folder, 'dead-letters', 'audit'));
  await expect.poll(names).toEqual([expect.stringMatching(/^(?!one).*\.json$/)]);
  expect(deadLetters('audit')).toMatchObject([{ id: 1 }]);
});
