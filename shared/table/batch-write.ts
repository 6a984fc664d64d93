import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { attributesOf, itemOf } from './attributes.ts';
import { backoff } from './backoff.ts';
import { table, tableName } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** DynamoDB's limit for a batch. */
const batchSize = 25;
const attempts = 6;

/**
 * Puts items without a condition or transaction. Use this function only for items that are derived from one event. A
 * repeated write of such items changes nothing. Returns the items that are still unprocessed after all retries.
 */
export const putAll = async (items: readonly Item[]): Promise<Item[]> => {
  const left = await writeAll(items.map((item) => ({ PutRequest: { Item: attributesOf(item) } })));
  return left.flatMap(({ PutRequest }) => (PutRequest?.Item ? [itemOf(PutRequest.Item)] : []));
};

/** Deletes items. Returns the keys that are still unprocessed after all retries. */
export const deleteAll = async (keys: readonly Key[]): Promise<Key[]> => {
  // DynamoDB rejects a batch that contains a key twice.
  const distinct = [...new Map(keys.map(({ pk, sk }) => [`${pk}\n${sk}`, { pk, sk }])).values()];
  const left = await writeAll(distinct.map((key) => ({ DeleteRequest: { Key: attributesOf(key) } })));
  return left.flatMap(({ DeleteRequest }) => (DeleteRequest?.Key ? [itemOf(DeleteRequest.Key)] : []));
};

async function writeAll(requests: WriteRequest[]): Promise<WriteRequest[]> {
  const left: WriteRequest[] = [];
  for (let start = 0; start < requests.length; start += batchSize) {
    let waiting = requests.slice(start, start + batchSize);
    for (let attempt = 1; waiting.length > 0 && attempt <= attempts; attempt++) {
      if (attempt > 1) await backoff(attempt);
      const { UnprocessedItems } = await table.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName()]: waiting } }),
      );
      waiting = UnprocessedItems?.[tableName()] ?? [];
    }
    left.push(...waiting);
  }
  return left;
}
