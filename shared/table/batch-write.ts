import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { attributesOf, itemOf } from './attributes.ts';
import { backoff } from './backoff.ts';
import { table, tableName } from './client.ts';
import { inBatches } from './in-batches.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { nameOf } from './read.ts';

/** DynamoDB's limit for a batch. */
const batchSize = 25;
const attempts = 6;
/** The number of batches that are sent in parallel. */
const parallelism = 4;

/**
 * Puts items without a condition or transaction. Use this function only for items that are derived from one event. A
 * repeated write of such items changes nothing. Returns the items that are still unprocessed after all retries.
 */
export const putAll = async (items: readonly Item[]): Promise<Item[]> => {
  const left = await writeAll(items.map(putOf));
  return left.flatMap(({ PutRequest }) => (PutRequest?.Item ? [itemOf(PutRequest.Item)] : []));
};

/** Deletes items. Returns the keys that are still unprocessed after all retries. */
export const deleteAll = async (keys: readonly Key[]): Promise<Key[]> => {
  const left = await writeAll(distinct(keys).map(deletionOf));
  return left.flatMap(({ DeleteRequest }) => (DeleteRequest?.Key ? [itemOf(DeleteRequest.Key)] : []));
};

/** Items to put and keys to delete, without conditions. */
export interface PlainWrites {
  put?: readonly Item[];
  remove?: readonly Key[];
}

/** Writes and deletes items. Of several writes with the same key, only the last takes effect. Throws if some are left. */
export async function writeBatches(all: readonly PlainWrites[]): Promise<void> {
  const writes = all.flatMap(({ put = [], remove = [] }) => [
    ...put.map((item) => ({ ...keyOf(item), request: putOf(item) })),
    ...remove.map((key) => ({ ...keyOf(key), request: deletionOf(key) })),
  ]);
  const left = await writeAll(distinct(writes).map(({ request }) => request));
  if (left.length > 0) throw new Error(`DynamoDB did not process ${left.length} writes.`);
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });
const putOf = (item: Item): WriteRequest => ({ PutRequest: { Item: attributesOf(item) } });
const deletionOf = (key: Key): WriteRequest => ({ DeleteRequest: { Key: attributesOf(keyOf(key)) } });

/** DynamoDB rejects a batch that contains a key twice. */
const distinct = <K extends Key>(keys: readonly K[]): K[] => [
  ...new Map(keys.map((key) => [nameOf(key), key])).values(),
];

async function writeAll(requests: readonly WriteRequest[]): Promise<WriteRequest[]> {
  const batches = Array.from({ length: Math.ceil(requests.length / batchSize) }, (_, n) =>
    requests.slice(n * batchSize, (n + 1) * batchSize),
  );
  return (await inBatches(parallelism, batches, writeBatch)).flat();
}

async function writeBatch(requests: WriteRequest[]): Promise<WriteRequest[]> {
  let waiting = requests;
  for (let attempt = 1; waiting.length > 0 && attempt <= attempts; attempt++) {
    if (attempt > 1) await backoff(attempt);
    const { UnprocessedItems } = await table.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName()]: waiting } }),
    );
    waiting = UnprocessedItems?.[tableName()] ?? [];
  }
  return waiting;
}
