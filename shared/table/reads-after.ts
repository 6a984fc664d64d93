import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { isCounterDelta, type Operation, type Write } from './operations.ts';
import { currentReads, nameOf, type Reads } from './read.ts';

/**
 * The table as it would be after these writes, which nobody commits: reads of the base table with the writes laid over what
 * is found, and each thing read once. Totals are left as they are.
 */
export function readsAfter(writes: readonly Write[]): Reads {
  const written = operationsByItem(writes);
  const items = new Map<string, Promise<Item | undefined>>();
  const queries = new Map<string, Promise<Item[]>>();

  const itemAfter = (key: Key, item: Item | undefined): Item | undefined =>
    (written.get(nameOf(key))?.operations ?? []).reduce(applied, item);

  const getItems: Reads['getItems'] = (keys) => {
    const unread = keys.filter((key) => !items.has(nameOf(key)));
    const reading = currentReads.getItems(unread);
    for (const [index, key] of unread.entries())
      items.set(
        nameOf(key),
        reading.then((found) => itemAfter(key, found[index])),
      );
    return Promise.all(keys.map((key) => items.get(nameOf(key))));
  };

  return {
    getItems,
    getItem: async (key) => (await getItems([key]))[0],
    queryItems(query) {
      const name = JSON.stringify(query);
      const reading = queries.get(name) ?? queryAfter(query, keysWithin(query, written), getItems);
      queries.set(name, reading);
      return reading;
    },
  };
}

/** What happens to an item, in the order of the writes. */
interface Written {
  key: Key;
  operations: Operation[];
}

function operationsByItem(writes: readonly Write[]): Map<string, Written> {
  const written = new Map<string, Written>();
  for (const write of writes) {
    if (isCounterDelta(write)) continue;
    const key = keyOf(write.operation);
    const { operations } = written.get(nameOf(key)) ?? { operations: [] };
    written.set(nameOf(key), { key, operations: [...operations, write.operation] });
  }
  return written;
}

function keyOf(operation: Operation): Key {
  const { pk, sk } =
    'Put' in operation
      ? operation.Put.Item
      : 'Update' in operation
        ? operation.Update.Key
        : 'Delete' in operation
          ? operation.Delete.Key
          : operation.ConditionCheck.Key;
  return { pk, sk };
}

type Query = Parameters<Reads['queryItems']>[0];

/** The keys that a query asks for, of those that are written. */
const keysWithin = ({ partition, sortKey }: Query, written: ReadonlyMap<string, Written>): Key[] =>
  [...written.values()]
    .map(({ key }) => key)
    .filter(({ pk, sk }) => pk === partition && (!sortKey || (sk >= sortKey.from && sk <= sortKey.to)));

/** The items of a partition after what happens `within` it, each of which `itemsAfter` finds. */
async function queryAfter(
  { limit, ...query }: Query,
  within: readonly Key[],
  itemsAfter: Reads['getItems'],
): Promise<Item[]> {
  const [found, changed] = await Promise.all([
    // As many more as may be gone.
    currentReads.queryItems({ ...query, limit: limit && limit + within.length }),
    itemsAfter(within),
  ]);
  const written = new Set(within.map(({ sk }) => sk));
  const items = [
    ...found.filter(({ sk }) => !written.has(sk)),
    ...changed.filter((item) => item !== undefined),
  ];
  return items.sort((one, other) => (one.sk < other.sk ? -1 : 1)).slice(0, limit);
}

/** An item after an operation on it; undefined where there is none. */
function applied(item: Item | undefined, operation: Operation): Item | undefined {
  if ('Put' in operation) return operation.Put.Item;
  if ('Delete' in operation) return undefined;
  return 'Update' in operation ? updated(item ?? { ...operation.Update.Key }, operation.Update) : item;
}

type Update = Extract<Operation, { Update: unknown }>['Update'];

/** An item after an update that sets attributes to values and removes others; throws for all else that an update can do. */
function updated(item: Item, update: Update): Item {
  const after = structuredClone(item);
  const {
    UpdateExpression = '',
    ExpressionAttributeNames: names = {},
    ExpressionAttributeValues: values = {},
  } = update;
  if (/\b(ADD|DELETE)\b|[(+]/.test(UpdateExpression))
    throw new Error(`${UpdateExpression} is not laid over what is read.`);
  for (const [, action, clause = ''] of UpdateExpression.matchAll(/(SET|REMOVE) (.*?)(?= REMOVE |$)/g))
    for (const part of clause.split(', ')) {
      const [path = '', value] = part.split(' = ');
      const [last = '', ...above] = path
        .split('.')
        .map((name) => names[name] ?? name)
        .reverse();
      const holder = above.reduceRight<Record<string, unknown>>(
        (inside, name) => inside[name] as Record<string, unknown>,
        after,
      );
      if (action === 'REMOVE') delete holder[last];
      else holder[last] = values[value ?? ''];
    }
  return after;
}
