import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import { deleteExpired, startDeletingExpired } from '../../infra/local/delete-expired.ts';
import { isRelayed, tasksOf } from '../../infra/local/event-records.ts';
import { type StreamRecord, tableStream } from '../../infra/local/table-stream.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { watchWire } from '../harness/wire.ts';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const client = new DynamoDBClient({});
const now = new Date();
const seconds = (offset: number) => ({ N: String(asSeconds(now) + offset) });

let tables = 0;
async function newTable(): Promise<string> {
  tables += 1;
  const name = `expiry-${process.pid}-${Date.now()}-${tables}`;
  await createTable(client, name);
  return name;
}
const put = (TableName: string, sk: string, more: object = {}) =>
  client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, sk: { S: sk }, ...more } }));
const keysIn = async (TableName: string, IndexName?: string) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, IndexName }));
  return Items.map(({ sk }) => sk?.S).sort();
};

test('expired items are deleted with their index entries, and other items are kept', async () => {
  const TableName = await newTable();
  const listed = (n: string) => ({ listPk: { S: 'LEADS' }, listSk: { S: n } });
  await put(TableName, 'expired', { expiresAtSeconds: seconds(0), ...listed('1') });
  await put(TableName, 'later', { expiresAtSeconds: seconds(1), ...listed('2') });
  await put(TableName, 'never', listed('3'));
  await put(TableName, 'text', { expiresAtSeconds: { S: '1' } });
  await deleteExpired(client, TableName, now);
  expect(await keysIn(TableName)).toEqual(['later', 'never', 'text']);
  const query = new QueryCommand({
    TableName,
    IndexName: 'list',
    KeyConditionExpression: 'listPk = :list',
    ExpressionAttributeValues: { ':list': { S: 'LEADS' } },
  });
  const { Items = [] } = await client.send(query);
  expect(Items.map(({ sk }) => sk?.S)).toEqual(['later', 'never']);
});

test('all expired items on several pages of a scan are deleted', async () => {
  const TableName = await newTable();
  const fill = { S: 'x'.repeat(300_000) };
  const keys = Array.from({ length: 12 }, (_, n) => `item-${String(n).padStart(2, '0')}`);
  for (const [n, sk] of keys.entries())
    await put(TableName, sk, { fill, expiresAtSeconds: seconds(n === 5 ? 60 : -60) });
  await deleteExpired(client, TableName, now);
  expect(await keysIn(TableName)).toEqual(['item-05']);
});

test('an item that is renewed after it was found is kept, and the deletion continues', async () => {
  const TableName = await newTable();
  for (const sk of ['first', 'renewed', 'second'])
    await put(TableName, sk, { expiresAtSeconds: seconds(-1) });
  const stop = watchWire({
    before: async ({ operation, input }) => {
      const { sk } = (input.Key ?? {}) as { sk?: { S?: string } };
      if (operation === 'DeleteItem' && sk?.S === 'renewed')
        await put(TableName, 'renewed', { expiresAtSeconds: seconds(60) });
    },
  });
  onTestFinished(stop);
  await deleteExpired(client, TableName, now);
  expect(await keysIn(TableName)).toEqual(['renewed']);
});

test('the relay ignores the stream records of deletions, by the local service and by AWS', async () => {
  const TableName = await newTable();
  const type = { type: { S: 'event' }, expiresAtSeconds: seconds(-1) };
  await put(TableName, 'event', type);
  await deleteExpired(client, TableName, now);
  const stream = tableStream(endpoint, await streamArnOf(client, TableName));
  const [shard] = await stream.shards();
  const { records } = await stream.records(await stream.iterator(shard?.id ?? '', undefined), 100);
  expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'REMOVE']);
  const byAws = {
    eventName: 'REMOVE',
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    dynamodb: { SequenceNumber: '1', OldImage: type, NewImage: type },
  } as StreamRecord;
  for (const record of [...records.slice(1), byAws])
    expect([isRelayed(record), tasksOf(record)]).toEqual([false, []]);
});

test('expired items are deleted at the start and again and again, until the service stops', async () => {
  const TableName = await newTable();
  await put(TableName, 'first', { expiresAtSeconds: seconds(-1) });
  await put(TableName, 'second', { expiresAtSeconds: seconds(60) });
  await put(TableName, 'third', { expiresAtSeconds: seconds(600) });
  let at = now;
  const deleting = startDeletingExpired({ endpoint, tableName: TableName }, { now: () => at, every: 20 });
  onTestFinished(deleting.stop);
  const later = (minutes: number) => {
    at = new Date(now.getTime() + minutes * 60_000);
  };
  await expect.poll(() => keysIn(TableName)).toEqual(['second', 'third']);
  later(2);
  await expect.poll(() => keysIn(TableName)).toEqual(['third']);
  await deleting.stop();
  later(20);
  await setTimeout(60);
  expect(await keysIn(TableName)).toEqual(['third']);
});

test('a table with more items than the engine can scan keeps its expired items', async () => {
  const TableName = await newTable();
  for (const name of ['first', 'second', 'third'])
    await put(TableName, name, { expiresAtSeconds: seconds(-1) });
  const deleting = (most: number) =>
    startDeletingExpired({ endpoint, tableName: TableName }, { now: () => now, every: 20, most });
  const skipping = deleting(2);
  await setTimeout(100);
  await skipping.stop();
  expect(await keysIn(TableName)).toEqual(['first', 'second', 'third']);
  onTestFinished(deleting(3).stop);
  await expect.poll(() => keysIn(TableName)).toEqual([]);
});
