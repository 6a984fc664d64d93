import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { compact, isOvergrown } from '../../infra/local/compaction.ts';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { writeStored } from '../../infra/local/stored-file.ts';
import { type TableStream, tableStream } from '../../infra/local/table-stream.ts';
import { temporaryFolder } from './runner-process.ts';

const tableName = 'merchant-ops-local';

async function open(dbPath: string) {
  const engine = await startDynamoDb({ dbPath });
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  await createTable(client, tableName);
  const credentials = { region: 'us-east-1', accessKeyId: 'local', secretAccessKey: 'local' };
  const stream = tableStream(engine.endpoint, await streamArnOf(client, tableName), credentials);
  return { engine, client, stream };
}

/** Writes `count` items and returns the position of the last in the stream. */
async function fill(client: DynamoDBClient, count: number): Promise<void> {
  const document = DynamoDBDocumentClient.from(client);
  for (let at = 0; at < count; at += 25) {
    const items = Array.from({ length: 25 }, (_, index) => ({
      pk: `item ${at + index}`,
      sk: 'x',
      bytes: Buffer.from('é'),
    }));
    const requests = items.map((Item) => ({ PutRequest: { Item } }));
    await document.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
}

async function readAll(stream: TableStream) {
  const [shard] = await stream.shards();
  if (!shard) return { count: 0 };
  let [iterator, count, last] = [await stream.iterator(shard.id, undefined), 0, ''];
  for (;;) {
    const { records, next } = await stream.records(iterator, 1000);
    count += records.length;
    last = records.at(-1)?.dynamodb.SequenceNumber ?? last;
    if (records.length === 0 || next === undefined) return { count, shardId: shard.id, last };
    iterator = next;
  }
}

test('a data file with many worked-off stream records is copied: every item stays, the stream starts anew', async () => {
  const folder = temporaryFolder();
  const [dbPath, checkpointPath] = [join(folder, 'table.db'), join(folder, 'checkpoint.json')];
  const before = await open(dbPath);
  await fill(before.client, 200);
  expect(await isOvergrown(before.stream, checkpointPath, 200)).toBe(false);

  const { count, shardId = '', last = '' } = await readAll(before.stream);
  expect(count).toBe(200);
  const checkpoint = (position: string) =>
    writeStored(
      checkpointPath,
      JSON.stringify({ streamArn: before.stream.arn, positions: { [shardId]: position }, finished: [] }),
    );
  checkpoint(String(Number(last) - 1));
  expect(await isOvergrown(before.stream, checkpointPath, 200)).toBe(false);
  checkpoint(last);
  expect(await isOvergrown(before.stream, checkpointPath, 200)).toBe(true);

  const items = await scan(before.client);
  await compact({ dbPath, tableName }, before.engine);
  const after = await open(dbPath);
  expect(await scan(after.client)).toEqual(items);
  expect(after.stream.arn).not.toBe(before.stream.arn);
  expect((await readAll(after.stream)).count).toBe(0);
  await fill(after.client, 25);
  await after.engine.stop();
});

async function scan(client: DynamoDBClient) {
  const items = new Map<string, unknown>();
  let ExclusiveStartKey: Record<string, { S: string }> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey }));
    for (const item of page.Items ?? []) items.set(item.pk?.S ?? '', item);
    ExclusiveStartKey = page.LastEvaluatedKey as typeof ExclusiveStartKey;
  } while (ExclusiveStartKey);
  return items;
}
