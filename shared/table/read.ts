import { BatchGetItemCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { busy } from '../errors.ts';
import { type Attributes, attributesOf, itemOf } from './attributes.ts';
import { backoff } from './backoff.ts';
import { table, tableName } from './client.ts';
import { type IndexName, tableDefinition } from './definition.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** One item, read strongly consistent; undefined where there is none. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item: item } = await table.send(
    new GetItemCommand({ TableName: tableName(), Key: attributesOf(key), ConsistentRead: true }),
  );
  return item && itemOf(item);
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
 * Retries keys that DynamoDB leaves unprocessed, so that an item that could not be read is never taken for absent.
 * Throws `busy` after eight attempts.
 */
async function getBatch(keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let waiting = keys.map(attributesOf);
  for (let attempt = 1; waiting.length > 0; attempt++) {
    if (attempt > 8) throw busy('UnprocessedKeys');
    if (attempt > 1) await backoff(attempt);
    const request = { [tableName()]: { Keys: waiting, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await table.send(
      new BatchGetItemCommand({ RequestItems: request }),
    );
    items.push(...(Responses?.[tableName()] ?? []).map(itemOf));
    waiting = UnprocessedKeys?.[tableName()]?.Keys ?? [];
  }
  return items;
}

/** The name of an item among all of the table. */
export const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/** Reads of the base table, strongly consistent. */
export interface Reads {
  getItem(key: Key): Promise<Item | undefined>;
  /** Items by key, in the order of the keys. */
  getItems(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** The items of one partition, in sort-key order, up to `limit`. */
  queryItems(query: {
    partition: string;
    sortKey?: { from: string; to: string };
    limit?: number;
  }): Promise<Item[]>;
}

/** How far a query goes at most. What is left out is no bound. */
export interface Bounds {
  /** So many items. */
  limit?: number;
  /** So many bytes of items, as DynamoDB counts what it reads. */
  bytes?: number;
  /** Milliseconds since 1970: past this no further page is read. */
  until?: number;
}

/** Items, and what kept the query from reading on to its limit or its end. */
export interface QueryResult<I = Item> {
  items: I[];
  cut?: 'bytes' | 'time';
}

/** Which items, and in which order. */
export interface Selection {
  index?: IndexName;
  newestFirst?: boolean;
  sortKey?: { from: string; to: string };
}

interface PartitionQuery extends Selection {
  /** The partition, in the base table or in the index. */
  partition: string;
}

/** DynamoDB ends a page of a query at one mebibyte. */
export const largestPage = 1024 * 1024;
/** What a record is taken to have before one was read. */
const usualRecord = 1024;
/** A unit of reading is 4 KB, and without strong consistency 8 KB. */
const bytesOfUnit = { consistent: 4096, eventual: 8192 };

/**
 * How many records make a page, as large as those read so far. DynamoDB ends a page by itself; the local engine loads
 * all that it is asked for before it does, however large that is.
 */
export const recordsPerPage = (records: number, bytes: number): number =>
  Math.ceil(largestPage / (bytes > 0 ? bytes / records : usualRecord));

/** The items of one partition, in sort-key order, up to `limit`. */
export const queryItems = async ({
  limit,
  ...query
}: PartitionQuery & Pick<Bounds, 'limit'>): Promise<Item[]> => (await queryWithin(query, { limit })).items;

/** What there is at this moment. */
export const currentReads: Reads = { getItem, getItems, queryItems };

/**
 * The items of one partition, in sort-key order, page after page up to the first bound that is met. Another page is
 * read only where a whole one still fits. Reads of the base table are strongly consistent; an index cannot be.
 */
export async function queryWithin(
  { partition, ...selection }: PartitionQuery,
  { limit, bytes = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Bounds,
): Promise<QueryResult> {
  const reading: Reading = { partition, items: [], more: true };
  const { items } = reading;
  let read = 0;
  for (;;) {
    const left = limit === undefined ? undefined : limit - items.length;
    read += await readPage(reading, selection, left && Math.min(left, recordsPerPage(items.length, read)));
    if (!reading.more || items.length === limit) return { items };
    if (read + largestPage > bytes) return { items, cut: 'bytes' };
    if (Date.now() >= until) return { items, cut: 'time' };
  }
}

/** How far a partition was read. */
export interface Reading {
  partition: string;
  items: Item[];
  /** Where its next page starts; undefined before the first. */
  start?: Attributes;
  more: boolean;
}

/** The attributes that partition and order the table, or an index. */
export const keysOf = (index: IndexName | undefined) =>
  tableDefinition.indexes.find(({ name }) => name === index) ?? tableDefinition;

/** Reads the next page of a partition, of so many items at most; returns how many bytes DynamoDB read for it. */
export async function readPage(
  reading: Reading,
  { index, newestFirst, sortKey }: Selection,
  limit: number | undefined,
): Promise<number> {
  const keys = keysOf(index);
  const range = sortKey ? ' AND #sk BETWEEN :from AND :to' : '';
  const { Items, LastEvaluatedKey, ConsumedCapacity } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: index,
      KeyConditionExpression: `#pk = :pk${range}`,
      ExpressionAttributeNames: { '#pk': keys.partitionKey, ...(sortKey && { '#sk': keys.sortKey }) },
      ExpressionAttributeValues: attributesOf({
        ':pk': reading.partition,
        ...(sortKey && { ':from': sortKey.from, ':to': sortKey.to }),
      }),
      ScanIndexForward: !newestFirst,
      ConsistentRead: !index,
      Limit: limit,
      ExclusiveStartKey: reading.start,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  reading.items.push(...(Items ?? []).map(itemOf));
  reading.start = LastEvaluatedKey;
  reading.more = LastEvaluatedKey !== undefined;
  return (ConsumedCapacity?.CapacityUnits ?? 0) * bytesOfUnit[index ? 'eventual' : 'consistent'];
}
