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
import { afterAll, afterEach, beforeEach, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
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
  folder = mkdtempSync(join(tmpdir(), 'merchant-ops-triggers-'));
  // Queues of its own, because the poll that a test ends may still take a message of the next one.
  const prefix = folder.slice(-6);
  queues = await startQueues({ endpoint: sqs.endpoint, prefix, visibilitySeconds: 1, maxReceiveCount: 2 });
  process.env.RELAY_DEAD_LETTER_URL = queues.relayDeadLetterUrl;
  for (const { name, url } of queues.queues) process.env[queueUrlVariable(name)] = url;
  tableName = `triggers-${prefix}`;
  await createTable(dynamoDb, tableName);
  stream = tableStream(endpoint, await streamArnOf(dynamoDb, tableName));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

const idOf = ({ body }: SQSRecord): number => (JSON.parse(body) as Event).id;

/** The consumer of the queues that a test does not look at. */
const takesAll: Invoke = async () => undefined;

function start(
  consumer: (ids: number[], messages: SQSRecord[]) => number[] | Promise<number[]>,
  invokeRelay: Invoke = relay as Invoke,
  jobs: Invoke = takesAll,
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
      queues.queues.map(({ name }) => [name, name === 'audit' ? consume : name === 'jobs' ? jobs : takesAll]),
    ),
    deadLetterFolder: join(folder, 'dead-letters'),
    checkpointPath: checkpointPath(),
    idleDelay: 20,
    firstBackoff: 10,
  });
  return running;
}

/** Starts with a consumer that takes everything, and collects the ids that it receives. */
function startCollecting(): number[] {
  const seen: number[] = [];
  start((ids) => {
    seen.push(...ids);
    return [];
  });
  return seen;
}

async function write(id: number, changes: object = {}, accountId = 'acc_1' as AccountId): Promise<void> {
  const item = { ...eventKey(accountId, id), type: 'event', ...anEvent({ id, accountId }), ...changes };
  await documents.send(new PutCommand({ TableName: tableName, Item: item }));
}

const checkpointPath = () => join(folder, 'checkpoint.json');
/** The queues forget everything, as when the process dies. */
async function forgetMessages(): Promise<void> {
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  for (const { url } of queues.queues) await client.send(new PurgeQueueCommand({ QueueUrl: url }));
  client.destroy();
}
const one = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);
const deadLetters = (queue: string) =>
  readdirSync(join(folder, 'dead-letters', queue)).map((name) =>
    JSON.parse(readFileSync(join(folder, 'dead-letters', queue, name), 'utf8')),
  );
/** The place in the stream, counted from 1, of the last record that the checkpoint has done; 0 before the first. */
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

test('items that are no events, and changes of events, are not sent on', async () => {
  const seen = startCollecting();
  await documents.send(new PutCommand({ TableName: tableName, Item: { pk: 'a', sk: 'b', type: 'lead' } }));
  await write(1);
  await write(1, { touched: true });
  await running?.settled();
  expect(seen).toEqual([1]);
  expect(await checkpointed()).toBe(3);
});

test('a record that holds no readable event is filed by the relay, and the others go through', async () => {
  const seen: number[] = [];
  await write(1);
  await write(2, { kind: 'nothing_known' });
  await write(3);
  start((ids) => {
    seen.push(...ids);
    return [];
  });
  await running?.settled();
  expect(seen.sort()).toEqual([1, 3]);
  expect(deadLetters('relay')).toMatchObject([
    { eventName: 'INSERT', dynamodb: { NewImage: { kind: { S: 'nothing_known' } } } },
  ]);
  expect(await checkpointed()).toBe(3);
});

test('a consumer that throws gets the whole batch again', async () => {
  const batches: number[][] = [];
  await Promise.all(one(3).map((id) => write(id)));
  start((ids) => {
    batches.push(ids.sort());
    if (batches.length === 1) throw new Error('once');
    return [];
  });
  await running?.settled();
  expect(batches.flat().sort()).toEqual([1, 1, 2, 2, 3, 3]);
});

test('the checkpoint never passes an unfinished event, and a start after a crash handles what was unfinished', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await Promise.all(one(5).map((id) => write(id)));
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

  await forgetMessages();
  const again = new Set<number>();
  start((ids) => {
    for (const id of ids) again.add(id);
    return [];
  });
  await running?.settled();
  expect(again.size).toBe(5 - reached);
  expect(await checkpointed()).toBe(5);
});

test('a relay that fails for a while delays events and loses none', async () => {
  const seen = new Set<number>();
  let calls = 0;
  await Promise.all(one(120).map((id) => write(id)));
  start(
    (ids) => {
      for (const id of ids) seen.add(id);
      return [];
    },
    async (event) => {
      calls += 1;
      if (calls <= 3) throw new Error('not yet');
      return (relay as Invoke)(event);
    },
  );
  await running?.settled();
  expect(seen.size).toBe(120);
  expect(await checkpointed()).toBe(120);
});

test('of a batch only what failed comes again, counted, and is a dead letter on file after five receives', async () => {
  // The queues as the runner has them, but for the wait before a message comes again.
  const prefix = `five-${folder.slice(-6)}`;
  queues = await startQueues({ endpoint: sqs.endpoint, prefix, visibilitySeconds: 0 });
  process.env.RELAY_DEAD_LETTER_URL = queues.relayDeadLetterUrl;
  for (const { name, url } of queues.queues) process.env[queueUrlVariable(name)] = url;
  await Promise.all(one(10).map((id) => write(id)));
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
    one(10).map((id) => [id, id === 3 || id === 7 ? fiveTimes : ['1']]),
  );
  expect(
    deadLetters('audit')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([3, 7]);
  expect(await checkpointed()).toBe(10);
});

test('a crash after delivery and before the checkpoint repeats what it had not written down, and no more', async () => {
  const handled: number[] = [];
  const consumer = (ids: number[]) => {
    handled.push(...ids);
    return [];
  };
  await Promise.all(one(3).map((id) => write(id)));
  const before = start(consumer);
  await before.settled();
  const writtenDown = readFileSync(checkpointPath());
  for (const id of one(3, 4)) await write(id);
  await before.settled();
  await before.stop();
  expect(handled.sort()).toEqual(one(6));

  // As if the process had died before it wrote the second checkpoint.
  writeFileSync(checkpointPath(), writtenDown);
  await forgetMessages();
  handled.length = 0;
  await start(consumer).settled();
  expect(handled.sort()).toEqual([4, 5, 6]);
  expect(await checkpointed()).toBe(6);
});

/** The lines about something. An engine that is slow to respond may have others told beside it. */
const toldOf = (said: MockInstance<typeof console.error>, what: string): string[] =>
  said.mock.calls.map(String).filter((line) => line.includes(what));

test('a checkpoint that cannot be written is told once, holds up no event, and is written when it can be', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const seen: number[] = [];
  // Where the new text would be written before it takes the old one's place.
  mkdirSync(`${checkpointPath()}.tmp`);
  start((ids) => {
    seen.push(...ids);
    return [];
  });
  await write(1);
  await running?.settled();
  await write(2);
  await running?.settled();
  expect(seen).toEqual([1, 2]);
  expect(existsSync(checkpointPath())).toBe(false);
  expect(toldOf(said, 'The checkpoint')).toEqual([
    expect.stringContaining('The checkpoint cannot be written: EISDIR'),
  ]);

  rmSync(`${checkpointPath()}.tmp`, { recursive: true });
  await running?.stop();
  expect(await checkpointed()).toBe(2);
});

test('a stream that is away for a moment, and its iterators with it, loses no event and repeats none', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const seen: number[] = [];
  const { iterator, records } = stream;
  // Iterators are told apart, and the second read makes its own expire.
  let [made, reads, expired] = [0, 0, ''];
  stream.iterator = async (...from) => `${++made} ${await iterator(...from)}`;
  stream.records = async (from, limit) => {
    reads += 1;
    const [number = '', real = ''] = from.split(' ');
    if (reads === 2) expired = number;
    if (number === expired) throw new Error('away');
    const { next, ...page } = await records(real, limit);
    return { ...page, next: next && `${number} ${next}` };
  };
  start((ids) => {
    seen.push(...ids);
    return [];
  });
  for (const id of one(5)) await write(id);
  await expect.poll(() => seen.length).toBe(5);
  await running?.settled();
  expect(seen.sort()).toEqual(one(5));
  expect(toldOf(said, 'away')).toEqual([
    expect.stringMatching(/^Reading .* failed and is tried again: away$/),
  ]);
});

test('a message that could not be deleted is not done: it comes again', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const [queue] = queues.queues;
  if (!queue) throw new Error('There is no queue');
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
  await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: 'a' }));
  const log: string[] = [];
  const trigger = startQueuePoller({
    client,
    queue,
    consumer: async () => void log.push('handled'),
    done: () => log.push('done'),
  });
  await expect.poll(() => log).toEqual(['handled', 'handled', 'done']);
  await trigger.stop();
  client.destroy();
});

test('an answer that names a message of no batch fails the whole batch', async () => {
  const [queue] = queues.queues;
  if (!queue) throw new Error('There is no queue');
  const client = new SQSClient({ endpoint: sqs.endpoint });
  await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: 'a' }));
  const log: string[] = [];
  const trigger = startQueuePoller({
    client,
    queue,
    consumer: async () => {
      log.push('handled');
      return { batchItemFailures: log.length === 1 ? [{ itemIdentifier: 'nobody' }] : [] };
    },
    done: () => log.push('done'),
  });
  await expect.poll(() => log).toEqual(['handled', 'handled', 'done']);
  await trigger.stop();
  client.destroy();
});

/** Writes a trigger message as a transaction would, and returns its item's id. */
async function writeTrigger(backlog: string): Promise<number> {
  const write = triggerItemWrite('jobs', { account: 'acc_1' as AccountId, backlog }, new Date());
  const item = 'operation' in write && 'Put' in write.operation ? write.operation.Put?.Item : undefined;
  if (!item) throw new Error('A trigger message is no put');
  await documents.send(new PutCommand({ TableName: tableName, Item: item }));
  return Number(item.id);
}

test('events of two accounts with one id are two to the checkpoint: both are handled, and neither waits for the other', async () => {
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

test('a trigger message counts for the checkpoint once it is handled, and one that was not comes again after a crash', async () => {
  const woken: unknown[] = [];
  let hold: Promise<void> | undefined = new Promise(() => {});
  const jobs: Invoke = async (event) => {
    const bodies = (event as SQSEvent).Records.map(({ body }) => JSON.parse(body));
    if (hold) throw new Error('not now');
    woken.push(...bodies);
  };
  const before = start(() => [], undefined, jobs);
  const ids = [await writeTrigger('JOBS'), await writeTrigger('JOBS')];
  await write(1);
  await expect.poll(() => checkpoint()).toBeUndefined();
  await before.stop();
  expect(await checkpointed()).toBe(0);

  await forgetMessages();
  hold = undefined;
  start(() => [], undefined, jobs);
  await running?.settled();
  expect(woken).toEqual(
    expect.arrayContaining(ids.map((id) => ({ wake: { account: 'acc_1', backlog: 'JOBS', id } }))),
  );
  expect(await checkpointed()).toBe(3);
});

test('a message that its queue calls wrong is filed by the relay with its queue, and is done', async () => {
  const bodies: string[] = [];
  const parking: Invoke = async (event) => {
    const { Records } = event as { Records: { dynamodb: { NewImage: object } }[] };
    const client = new SQSClient({ useQueueUrlAsEndpoint: false, endpoint: sqs.endpoint });
    const body = JSON.stringify(anEvent({ id: 1 }));
    bodies.push(body);
    for (const queue of ['audit', 'notifications', 'webhooks'])
      await client.send(
        new SendMessageCommand({
          QueueUrl: queues.relayDeadLetterUrl,
          MessageBody: JSON.stringify({ queue, body }),
        }),
      );
    client.destroy();
    return { batchItemFailures: [], taken: Records.length };
  };
  start(() => [], parking);
  await write(1);
  await running?.settled();
  expect(
    deadLetters('relay')
      .map(({ queue }) => queue)
      .sort(),
  ).toEqual(['audit', 'notifications', 'webhooks']);
  expect(deadLetters('relay').every(({ body }) => body === bodies[0])).toBe(true);
  expect(await checkpointed()).toBe(1);
});

test('as many batches of a queue are handled at once as it may, and no more', async () => {
  const [queue] = queues.queues;
  if (!queue) throw new Error('There is no queue');
  const client = new SQSClient({ endpoint: sqs.endpoint });
  for (let n = 0; n < 45; n++)
    await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: String(n) }));
  let [atOnce, most] = [0, 0];
  const letGo: (() => void)[] = [];
  const handled: string[] = [];
  const trigger = startQueuePoller({
    client,
    queue,
    concurrency: 3,
    consumer: async () => {
      most = Math.max(most, ++atOnce);
      await new Promise<void>((resolve) => letGo.push(resolve));
      atOnce -= 1;
    },
    done: ({ Body = '' }) => void handled.push(Body),
  });
  await expect.poll(() => atOnce).toBe(3);
  const releasing = setInterval(() => letGo.splice(0).forEach((go) => void go()), 5);
  await expect.poll(() => new Set(handled).size).toBe(45);
  clearInterval(releasing);
  expect(most).toBe(3);
  letGo.splice(0).forEach((go) => void go());
  await trigger.stop();
  client.destroy();
});

test('a dead letter stays on file until what it was sent as again is done, and goes once it is', async () => {
  const letters = join(folder, 'dead-letters');
  mkdirSync(join(letters, 'audit'), { recursive: true });
  mkdirSync(join(letters, 'relay'), { recursive: true });
  const parked = { queue: 'audit', body: JSON.stringify(anEvent({ id: 2 })) };
  // As the command leaves them.
  writeFileSync(join(letters, 'audit', 'one.redrive'), JSON.stringify(anEvent({ id: 1 })));
  writeFileSync(join(letters, 'relay', 'two.redrive'), JSON.stringify(parked));
  writeFileSync(join(letters, 'relay', 'three.redrive'), 'nothing that could be sent');
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

test('a redriven message that is given up again is one letter, and the one before is gone', async () => {
  mkdirSync(join(folder, 'dead-letters', 'audit'), { recursive: true });
  writeFileSync(join(folder, 'dead-letters', 'audit', 'one.redrive'), JSON.stringify(anEvent({ id: 1 })));
  start((ids) => ids);
  const names = () => readdirSync(join(folder, 'dead-letters', 'audit'));
  await expect.poll(names, { timeout: 30_000 }).toEqual([expect.stringMatching(/^(?!one).*\.json$/)]);
  expect(deadLetters('audit')).toMatchObject([{ id: 1 }]);
});
