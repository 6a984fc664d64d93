import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../events/event.ts';
import { handler as relay } from '../../events/relay.ts';
import { queueUrlVariable } from '../../events/routing.ts';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import type { Invoke } from '../../infra/local/lambda.ts';
import { type Queues, startQueues } from '../../infra/local/queues.ts';
import { type TableStream, tableStream } from '../../infra/local/table-stream.ts';
import { startTriggers, type Triggers } from '../../infra/local/triggers.ts';
import type { AccountId } from '../../shared/accounts/account-id.ts';
import { table } from '../../shared/table/client.ts';
import { eventKey } from '../../shared/table/keys.ts';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const dynamoDb = new DynamoDBClient({});
const sqs = await startQueues();
process.env.AWS_ENDPOINT_URL_SQS = sqs.endpoint;
afterAll(sqs.stop);

let queues: Queues;
let tableName = '';
let folder = '';
let stream: TableStream;
let running: Triggers | undefined;

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

function start(
  consumer: (ids: number[]) => number[] | Promise<number[]>,
  invokeRelay: Invoke = relay as Invoke,
): Triggers {
  const consume: Invoke = async (event) => {
    const { Records } = event as SQSEvent;
    const failed = await consumer(Records.map(({ body }) => (JSON.parse(body) as Event).id));
    const again = Records.filter(({ body }) => failed.includes((JSON.parse(body) as Event).id));
    return {
      batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })),
    } satisfies SQSBatchResponse;
  };
  running = startTriggers({
    stream,
    queues,
    relay: invokeRelay,
    consumers: new Map(queues.queues.map(({ name }) => [name, consume])),
    deadLetterFolder: join(folder, 'dead-letters'),
    checkpointPath: join(folder, 'checkpoint.json'),
    idlePause: 20,
    firstPause: 10,
  });
  return running;
}

async function write(id: number, changes: object = {}): Promise<void> {
  const accountId = 'acc_1' as AccountId;
  const event: Event = {
    id,
    kind: 'lead_created',
    version: 1,
    accountId,
    actor: { user: 'ann@example.com', apiKey: null },
    subject: { type: 'lead', id: 7 },
    data: { changes: {} },
    request: { method: 'POST', path: '/leads', headers: {}, ipAddress: '127.0.0.1' },
    occurredAt: '2026-01-01T00:00:00.000Z',
  };
  const item = { ...eventKey(accountId, id), type: 'event', ...event, ...changes };
  await table.send(new PutCommand({ TableName: tableName, Item: item }));
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
  const path = join(folder, 'checkpoint.json');
  return existsSync(path)
    ? (Object.values(JSON.parse(readFileSync(path, 'utf8')).positions)[0] as string)
    : undefined;
};

test('an event reaches its consumer', async () => {
  const seen: number[] = [];
  start((ids) => {
    seen.push(...ids);
    return [];
  });
  await write(1);
  await running?.settled();
  expect(seen).toEqual([1]);
});

test('items that are no events, and changes of events, are not sent on', async () => {
  const seen: number[] = [];
  start((ids) => {
    seen.push(...ids);
    return [];
  });
  await table.send(new PutCommand({ TableName: tableName, Item: { pk: 'a', sk: 'b', type: 'lead' } }));
  await write(1);
  await write(1, { touched: true });
  await running?.settled();
  expect(seen).toEqual([1]);
  expect(await checkpointed()).toBe(3);
});

test('a poison message ends in its dead-letter queue while the other nine go through', async () => {
  const seen = new Set<number>();
  const attempts: number[] = [];
  await Promise.all(one(10).map((id) => write(id)));
  start((ids) => {
    for (const id of ids) (id === 4 ? attempts : { push: () => seen.add(id) }).push(id);
    return ids.filter((id) => id === 4);
  });
  await running?.settled();
  expect([...seen].sort((a, b) => a - b)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10]);
  expect(attempts).toEqual([4, 4]);
  expect(deadLetters('audit')).toMatchObject([{ id: 4, kind: 'lead_created' }]);
  expect(await checkpointed()).toBe(10);
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

  // The queues forget everything, as when the process dies.
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  for (const { url } of queues.queues) await client.send(new PurgeQueueCommand({ QueueUrl: url }));
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

test('a checkpoint that is not JSON is told in a sentence', async () => {
  const path = join(folder, 'checkpoint.json');
  writeFileSync(path, '{"streamArn":');
  expect(() => start(() => [])).toThrow(`The checkpoint ${path} is damaged`);
});
