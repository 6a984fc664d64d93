import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { busy } from '../http/errors.ts';
import { table, tableName } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { pause } from './pause.ts';

/** One item, read strongly consistent; undefined where there is none. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item: item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
  );
  return item as Item | undefined;
}

/**
 * Items by key, strongly consistent, in the order of the keys: one request for each 100, side by side.
 */
export async function getItems(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const unique = [...new Map(keys.map((key) => [nameOf(key), { pk: key.pk, sk: key.sk }])).values()];
  const batches = Array.from({ length: Math.ceil(unique.length / 100) }, (_, n) =>
    unique.slice(n * 100, n * 100 + 100),
  );
  const found = new Map(
    (await Promise.all(batches.map(getBatch))).flat().map((item) => [nameOf(item), item]),
  );
  return keys.map((key) => found.get(nameOf(key)));
}

/**
 * Keys that DynamoDB leaves unprocessed are asked for again: an item that could not be read is never taken for
 * absent. Throws `busy` when DynamoDB keeps leaving some.
 */
async function getBatch(keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let waiting = keys;
  for (let attempt = 1; waiting.length > 0; attempt++) {
    if (attempt > 8) throw busy();
    if (attempt > 1) await pause(attempt);
    const request = { [tableName()]: { Keys: waiting, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await table.send(new BatchGetCommand({ RequestItems: request }));
    items.push(...((Responses?.[tableName()] ?? []) as Item[]));
    waiting = (UnprocessedKeys?.[tableName()]?.Keys ?? []) as Key[];
  }
  return items;
}

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

interface PartitionQuery {
  /** The partition, in the base table or in the index. */
  partition: string;
  index?: 'list';
  /** At most this many items; all of them when left out. */
  limit?: number;
  newestFirst?: boolean;
  sortKey?: { from: string; to: string };
}

/**
 * The items of one partition, in sort-key order, page after page up to `limit`. Reads of the base table are
 * strongly consistent; an index cannot be.
 */
export async function queryItems({
  partition,
  index,
  limit,
  newestFirst,
  sortKey,
}: PartitionQuery): Promise<Item[]> {
  const [pk, sk] = index ? ['listPk', 'listSk'] : ['pk', 'sk'];
  const range = sortKey ? ' AND #sk BETWEEN :from AND :to' : '';
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: index,
        KeyConditionExpression: `#pk = :pk${range}`,
        ExpressionAttributeNames: { '#pk': pk, ...(sortKey && { '#sk': sk }) },
        ExpressionAttributeValues: {
          ':pk': partition,
          ...(sortKey && { ':from': sortKey.from, ':to': sortKey.to }),
        },
        ScanIndexForward: !newestFirst,
        ConsistentRead: !index,
        Limit: limit === undefined ? undefined : limit - items.length,
        ExclusiveStartKey: start,
      }),
    );
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start && (limit === undefined || items.length < limit));
  return items;
}
