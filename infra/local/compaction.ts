import { existsSync, renameSync, rmSync } from 'node:fs';
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
  type ScanCommandOutput,
  UpdateTableCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { readCheckpoint } from './checkpoint.ts';
import { createTable, streamSpecification } from './create-table.ts';
import { type DynamoDb, startDynamoDb } from './dynamodb.ts';
import type { TableStream } from './table-stream.ts';

interface DataFile {
  dbPath: string;
  tableName: string;
}

/**
 * The native engine's writes slow down with every record its stream holds: 640 transactions a second on an empty
 * one, 130 after 14,500 records.
 */
const mostRecords = 5_000;

/** Whether the stream has grown long with nothing in it left to do, so that the data file is worth a copy. */
export async function isOvergrown(
  stream: TableStream,
  checkpointPath: string,
  records = mostRecords,
): Promise<boolean> {
  const { positions } = readCheckpoint(checkpointPath, stream.arn);
  for (const { id } of await stream.shards()) {
    const position = positions[id];
    // The engine numbers the records of a stream from 1.
    if (position === undefined || Number(position) < records) return false;
    const unread = await stream.records(await stream.iterator(id, position), 1);
    if (unread.records.length > 0) return false;
  }
  return true;
}

/**
 * Copies every item of a table into a fresh data file, whose stream is empty, and puts that file in place of the
 * old one, whose engine is stopped. A crash at any point leaves the old file or the new one, whole.
 */
export async function compact({ dbPath, tableName }: DataFile, engine: DynamoDb): Promise<void> {
  const freshPath = `${dbPath}.compacting`;
  removeDataFile(freshPath);
  const fresh = await startDynamoDb({ dbPath: freshPath });
  const source = new DynamoDBClient({ endpoint: engine.endpoint });
  const target = new DynamoDBClient({ endpoint: fresh.endpoint });
  try {
    await createTable(target, tableName, { stream: false });
    await copyItems(source, target, tableName);
    await target.send(
      new UpdateTableCommand({ TableName: tableName, StreamSpecification: streamSpecification }),
    );
  } finally {
    source.destroy();
    target.destroy();
    await fresh.stop();
  }
  await engine.stop();
  // A journal that an engine left behind belongs to its file, which must then not be moved or replaced.
  if ([dbPath, freshPath].some((path) => existsSync(`${path}-wal`))) removeDataFile(freshPath);
  else renameSync(freshPath, dbPath);
}

async function copyItems(source: DynamoDBClient, target: DynamoDBClient, tableName: string): Promise<void> {
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  const scan = () =>
    source.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey, ConsistentRead: true }));
  do {
    const { Items = [], LastEvaluatedKey } = await scan();
    // What one request of DynamoDB takes.
    for (let at = 0; at < Items.length; at += 25)
      await putAll(
        target,
        tableName,
        Items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } })),
      );
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

async function putAll(client: DynamoDBClient, tableName: string, requests: WriteRequest[]): Promise<void> {
  let rest = requests;
  while (rest.length > 0) {
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: rest } }),
    );
    rest = UnprocessedItems?.[tableName] ?? [];
  }
}

function removeDataFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
