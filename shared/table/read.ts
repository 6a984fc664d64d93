import { BatchGetItemCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { busy } from '../errors.ts';
import { type Attributes, attributesOf, itemOf } from './attributes.ts';
import { backoff } from './backoff.ts';
import { table, tableName } from './client.ts';
import { type IndexName, tableDefinition } from './definition.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** Reads one item strongly consistently; undefined if it does not exist. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item: item } = await table.send(
    new GetItemCommand({ TableName: tableName(), Key: attributesOf(key), ConsistentRead: true }),
  );
  return item && itemOf(item);
}

/** Reads items strongly consistently in parallel requests of 100. Returns them in the order of the keys. */
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

/** Like `getItems`, but keys and items have names. Ignores undefined keys. */
export async function getNamedItems<K extends object>(
  keys: K & { readonly [N in keyof K]?: Key },
): Promise<{ [N in keyof K]?: Item }> {
  const named = Object.entries<Key | undefined>(keys).flatMap(([name, key]) => (key ? [{ name, key }] : []));
  const items = await getItems(named.map(({ key }) => key));
  return Object.fromEntries(named.map(({ name }, n) => [name, items[n]])) as { [N in keyof K]?: Item };
}

/** Retries unprocessed keys, so that an unread item is not reported as missing. Throws `busy` after eight attempts. */
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

/** Returns a text that identifies an item. */
export const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/** Strongly consistent reads. */
export interface Reads {
  getItem(key: Key): Promise<Item | undefined>;
  /** Returns the items with these keys, in the same order. */
  getItems(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** Returns the items of one partition in sort-key order, at most `limit`. */
  queryItems(query: {
    partition: string;
    sortKey?: { from: string; to: string };
    limit?: number;
  }): Promise<Item[]>;
}

/** The bounds of a query. An omitted bound does not apply. */
export interface Bounds {
  limit?: number;
  /** Bytes of items, as DynamoDB counts them. */
  bytes?: number;
  /** Milliseconds since 1970. After this time, no further page is read. */
  until?: number;
  /** For `queryList`: the oldest records, in place of the newest ones. */
  oldestFirst?: boolean;
  /** For `queryList`: only records before this position. An empty string starts with the newest record. */
  before?: string;
  /** For `queryList`: only records at or after this position. */
  from?: string;
}

/** Items, and the bound that ended the query early, if any. */
export interface QueryResult<I = Item> {
  items: I[];
  cut?: 'bytes' | 'time';
  /** With `before`: the position of each item in the list. */
  positions?: readonly string[];
  /** With `before`: the position of the last item that was read, if a bound ended the query. */
  next?: string;
}

/** The index, order and range of a query. */
export interface Selection {
  index?: IndexName;
  newestFirst?: boolean;
  sortKey?: { from: string; to: string };
  /** Half the cost. Only for searches: changes of the last second can be missing. */
  eventual?: true;
}

interface PartitionQuery extends Selection {
  /** A partition of the table or of the index. */
  partition: string;
}

/** DynamoDB's limit for a page of a query. */
export const largestPage = 1024 * 1024;
/** The assumed size of a record before any record was read. */
const usualRecord = 1024;
/** A read capacity unit covers 4 KB, or 8 KB for eventually consistent reads. */
const bytesOfUnit = { consistent: 4096, eventual: 8192 };

/** Estimates how many records fit into a page. Without this limit, the local engine would load a whole partition. */
export const recordsPerPage = (records: number, bytes: number): number =>
  Math.ceil(largestPage / (bytes > 0 ? bytes / records : usualRecord));

/** Returns the items of one partition in sort-key order, at most `limit`. */
export const queryItems = async ({
  limit,
  ...query
}: PartitionQuery & Pick<Bounds, 'limit'>): Promise<Item[]> => (await queryWithin(query, { limit })).items;

/** Read functions without a cache. */
export const currentReads: Reads = { getItem, getItems, queryItems };

/**
 * Returns the items of one partition in sort-key order, until a bound is reached. A further page is read only if the
 * bounds allow a full page. Reads are strongly consistent, except on an index and with `eventual`.
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

/** The progress of reading a partition. */
export interface Reading {
  partition: string;
  items: Item[];
  /** The start of the next page; undefined for the first page. */
  start?: Attributes;
  more: boolean;
}

/** The key attributes of the table or an index. */
export const keysOf = (index: IndexName | undefined) =>
  tableDefinition.indexes.find(({ name }) => name === index) ?? tableDefinition;

/** Reads the next page of a partition with at most `limit` items. Returns the number of bytes that DynamoDB read. */
export async function readPage(
  reading: Reading,
  { index, newestFirst, sortKey, eventual }: Selection,
  limit: number | undefined,
): Promise<number> {
  const keys = keysOf(index);
  const isConsistent = !index && !eventual;
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
      ConsistentRead: isConsistent,
      Limit: limit,
      ExclusiveStartKey: reading.start,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  reading.items.push(...(Items ?? []).map(itemOf));
  reading.start = LastEvaluatedKey;
  reading.more = LastEvaluatedKey !== undefined;
  return (ConsumedCapacity?.CapacityUnits ?? 0) * bytesOfUnit[isConsistent ? 'consistent' : 'eventual'];
}
