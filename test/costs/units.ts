import { tableDefinition } from '../../shared/table/definition.ts';
import type { WireExchange } from '../harness/wire.ts';
import { numberSize } from './number-size.ts';

/** A value in DynamoDB's protocol, for example `{"S": "Ada"}`. */
type Value = Record<string, unknown>;

/** An item or key in DynamoDB's protocol. */
export type WireItem = Record<string, Value>;

/** The capacity units that DynamoDB charges. */
export interface Units {
  read: number;
  write: number;
}

/** A written item before and after the request. For a put, `put` is the item in the request. */
export interface Image {
  before?: WireItem;
  after?: WireItem;
  put?: WireItem;
}

const bytesOf = (text: unknown): number => Buffer.byteLength(String(text));

/**
 * The size of an item in bytes, from "DynamoDB item sizes and formats" in AWS's developer guide, except for numbers. A
 * list or map takes 3 bytes, plus 1 byte for each element.
 */
export const itemSize = (item: WireItem): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + bytesOf(name) + valueSize(value), 0);

function valueSize(value: Value): number {
  const [[type, content] = []] = Object.entries(value);
  switch (type) {
    case 'S':
      return bytesOf(content);
    case 'N':
      return numberSize(String(content));
    case 'B':
      return Buffer.from(String(content), 'base64').length;
    case 'BOOL':
    case 'NULL':
      return 1;
    case 'SS':
      return sum((content as string[]).map(bytesOf));
    case 'NS':
      return sum((content as string[]).map(numberSize));
    case 'L':
      return 3 + sum((content as Value[]).map((element) => 1 + valueSize(element)));
    case 'M':
      return 3 + Object.keys(content as WireItem).length + itemSize(content as WireItem);
    default:
      throw new Error(`The meter does not support values of type ${type}.`);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One unit for each started 4 KB, and at least one. An eventually consistent read costs half as much. */
const readUnits = (bytes: number, consistent: unknown): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

const kilobytes = (item: WireItem | undefined): number =>
  Math.max(1, Math.ceil((item ? itemSize(item) : 0) / 1024));

/**
 * Write units of one item: one for each started kilobyte of the item before or after the write, whichever is
 * larger. A transaction doubles these units, but not those of index entries. A write whose condition fails is
 * charged, too.
 */
function writeUnits({ before, after, put }: Image, inTransaction: boolean): number {
  const table = Math.max(kilobytes(before), kilobytes(after), kilobytes(put));
  return (
    table * (inTransaction ? 2 : 1) +
    sum(tableDefinition.indexes.map((index) => indexUnits(index, before, after)))
  );
}

type Index = (typeof tableDefinition.indexes)[number];

/**
 * The write units of one index. An index entry contains only the projected attributes. If the index key changes, the
 * removal of the old entry and the write of the new entry are both charged.
 */
function indexUnits(index: Index, before: WireItem | undefined, after: WireItem | undefined): number {
  const [from, to] = [entryKey(index, before), entryKey(index, after)];
  const [gone, put] = [entryOf(index, before), entryOf(index, after)];
  if (from === to)
    return from === undefined || JSON.stringify(ordered(gone)) === JSON.stringify(ordered(put))
      ? 0
      : Math.max(kilobytes(gone), kilobytes(put));
  return (from === undefined ? 0 : kilobytes(gone)) + (to === undefined ? 0 : kilobytes(put));
}

function entryOf(index: Index, item: WireItem | undefined): WireItem | undefined {
  if (!item || index.projection === 'ALL') return item;
  const { partitionKey, sortKey } = tableDefinition;
  const keys: readonly string[] = [partitionKey, sortKey, index.partitionKey, index.sortKey];
  return Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
}

function entryKey({ partitionKey, sortKey }: Index, item: WireItem | undefined): string | undefined {
  const [partition, sort] = [item?.[partitionKey], item?.[sortKey]];
  return partition && sort && JSON.stringify([partition, sort]);
}

/** Replaces maps by sorted lists of entries, because DynamoDB returns the entries of a map in any order. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, ordered(inner)]);
}

/** The part of a request that determines which items it writes. */
type RequestInput = Pick<WireExchange, 'operation' | 'input'>;

/** An item that a request writes. */
interface WrittenItem {
  key: WireItem;
  put?: WireItem;
}

interface Written {
  Key?: WireItem;
  Item?: WireItem;
}

/** Returns the items that a request writes or, in a transaction, checks. */
export function writesIn({ operation, input }: RequestInput): WrittenItem[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [writtenItem(input)];
    case 'TransactWriteItems':
      return (input.TransactItems as Record<string, Written>[]).flatMap((part) =>
        Object.values(part).map(writtenItem),
      );
    case 'BatchWriteItem':
      return perTable<Record<string, Written>>(input.RequestItems).flatMap((request) =>
        Object.values(request).map(writtenItem),
      );
    default:
      return [];
  }
}

function writtenItem({ Key, Item: put }: Written): WrittenItem {
  const { partitionKey, sortKey } = tableDefinition;
  const from = Key ?? put ?? {};
  return { key: { pk: from[partitionKey] ?? {}, sk: from[sortKey] ?? {} }, put };
}

const perTable = <T>(tables: unknown): T[] => Object.values((tables ?? {}) as Record<string, T[]>).flat();

/** Reports whether a request failed free of charge. DynamoDB charges only for failures of a condition. */
const isFree = ({ status, output }: WireExchange): boolean =>
  status !== 200 && !/ConditionalCheckFailed/.test(JSON.stringify(output));

/**
 * The units that a request costs, from "DynamoDB reads and writes" and "Global secondary indexes" in AWS's developer
 * guide. `images` has the same order as the result of `writesIn`. Throws for operations that are not used here.
 */
export function unitsOf(exchange: WireExchange, images: readonly Image[]): Units {
  const { operation, input, output } = exchange;
  if (isFree(exchange)) return { read: 0, write: 0 };
  switch (operation) {
    case 'GetItem':
      return reading(readUnits(itemSize((output.Item ?? {}) as WireItem), input.ConsistentRead));
    case 'BatchGetItem':
      return reading(batchUnits(input, output));
    case 'Query':
      return reading(queryUnits(input, output));
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
    case 'BatchWriteItem':
      return writing(images, false);
    case 'TransactWriteItems':
      return writing(images, true);
    default:
      throw new Error(`The meter does not support ${operation}. Add its units to test/costs/units.ts.`);
  }
}

const reading = (read: number): Units => ({ read, write: 0 });
const writing = (images: readonly Image[], inTransaction: boolean): Units => ({
  read: 0,
  write: sum(images.map((image) => writeUnits(image, inTransaction))),
});

/** Rounds up the units of each item. A missing item also costs units. */
function batchUnits(input: Record<string, unknown>, output: Record<string, unknown>): number {
  const asked = Object.entries(
    input.RequestItems as Record<string, { Keys: WireItem[]; ConsistentRead?: boolean }>,
  );
  return sum(
    asked.map(([name, { Keys, ConsistentRead }]) => {
      const found = (output.Responses as Record<string, WireItem[]>)[name] ?? [];
      const left =
        (output.UnprocessedKeys as Record<string, { Keys: WireItem[] }> | undefined)?.[name]?.Keys ?? [];
      const missing = Keys.length - left.length - found.length;
      return sum(
        [...found.map(itemSize), ...Array(missing).fill(0)].map((size) => readUnits(size, ConsistentRead)),
      );
    }),
  );
}

/**
 * Rounds up the units of the whole page. Rejects filters and projections, because DynamoDB also charges for data that
 * the response does not contain.
 */
function queryUnits(input: Record<string, unknown>, output: Record<string, unknown>): number {
  if (input.FilterExpression || input.ProjectionExpression || input.Select === 'COUNT')
    throw new Error('The meter does not support filters of a Query. Add their units to test/costs/units.ts.');
  return readUnits(sum((output.Items as WireItem[]).map(itemSize)), input.ConsistentRead);
}
