import { tableDefinition } from '../../shared/table/definition.ts';
import type { WireExchange } from '../harness/wire.ts';

/** A value as DynamoDB's protocol carries it, such as `{"S": "Ada"}`. */
type Value = Record<string, unknown>;

/** An item, or the key of one, as DynamoDB's protocol carries it. */
export type WireItem = Record<string, Value>;

/** What DynamoDB charges for. */
export interface Units {
  read: number;
  write: number;
}

/** An item that a request writes: as it was, as it is now, and, for a put, as it was to be. */
export interface Image {
  before?: WireItem;
  after?: WireItem;
  put?: WireItem;
}

const bytesOf = (text: unknown): number => Buffer.byteLength(String(text));

/**
 * The size of an item in bytes: AWS's developer guide, "DynamoDB item sizes and formats". A number takes a byte for
 * every two significant digits and one more; a list or map 3 bytes, and 1 for each element.
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
      throw new Error(`The meter does not know the size of a value of type ${type}.`);
  }
}

function numberSize(number: string): number {
  const digits = number
    .replace(/e.*$/i, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One unit for each 4 KB begun, and for what is not there; half of it where a read may be late. */
const readUnits = (bytes: number, consistent: unknown): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

const kilobytes = (item: WireItem | undefined): number =>
  Math.max(1, Math.ceil((item ? itemSize(item) : 0) / 1024));

/**
 * Write units of one item: its larger image by the kilobyte, twice in a transaction; and each index entry that
 * appears, changes or goes, once even there. A condition that did not hold costs what holding would have.
 */
function writeUnits({ before, after, put }: Image, inTransaction: boolean): number {
  const table = Math.max(kilobytes(before), kilobytes(after), kilobytes(put));
  return (
    table * (inTransaction ? 2 : 1) +
    sum(tableDefinition.indexes.map((index) => indexUnits(index, before, after)))
  );
}

type Index = (typeof tableDefinition.indexes)[number];

/** An entry is the item as far as it is projected. One whose key changes is removed and put. */
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

/** Maps come back from the table in any order. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, ordered(inner)]);
}

/** A request as far as it is charged for. */
type RequestInput = Pick<WireExchange, 'operation' | 'input'>;

/** One item that a request writes. */
interface WrittenItem {
  key: WireItem;
  put?: WireItem;
}

interface Written {
  Key?: WireItem;
  Item?: WireItem;
}

/** The items that a request writes or, in a transaction, only holds a condition on. */
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

/** What makes an exchange cost nothing although it was sent: DynamoDB refused it before it looked at an item. */
const isFree = ({ status, output }: WireExchange): boolean =>
  status !== 200 && !/ConditionalCheckFailed/.test(JSON.stringify(output));

/**
 * What DynamoDB charges for an exchange: AWS's developer guide, "DynamoDB reads and writes" and "Global secondary
 * indexes". `images` are those of the items that `writesIn` names, in its order. Throws for what is never used here.
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
      throw new Error(`The meter does not know what ${operation} costs: teach it in test/costs/units.ts.`);
  }
}

const reading = (read: number): Units => ({ read, write: 0 });
const writing = (images: readonly Image[], inTransaction: boolean): Units => ({
  read: 0,
  write: sum(images.map((image) => writeUnits(image, inTransaction))),
});

/** Each item for itself, and each that is not there too. */
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

/** All items of a page together. What is filtered out or left out of an item is charged and not seen here. */
function queryUnits(input: Record<string, unknown>, output: Record<string, unknown>): number {
  if (input.FilterExpression || input.ProjectionExpression || input.Select === 'COUNT')
    throw new Error('The meter charges a Query by what it returns: teach it filters in test/costs/units.ts.');
  return readUnits(sum((output.Items as WireItem[]).map(itemSize)), input.ConsistentRead);
}
