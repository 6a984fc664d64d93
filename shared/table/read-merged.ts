import type { Item } from './item.ts';
import {
  type Bounds,
  keysOf,
  largestPage,
  nameOf,
  type QueryResult,
  type Reading,
  readPage,
  recordsPerPage,
  type Selection,
} from './read.ts';

interface PartitionsQuery extends Selection {
  partitions: readonly string[];
}

/** The minimum limit for the first page of a partition: one round is then enough for a list page of 100 records. */
const fewest = 100;

/**
 * Reads several partitions and merges their items in sort-key order, until a bound is reached. Each round reads a page
 * of every partition that may contain earlier items. A further round starts only if the bounds allow a full page. If a
 * bound ends the query, the result contains only items that come before all unread items. Indexes are eventually
 * consistent, so an item that moves may be in two partitions. The result contains this item once.
 */
export async function queryMerged(
  { partitions, ...selection }: PartitionsQuery,
  { limit, bytes = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Bounds,
): Promise<QueryResult> {
  const readings = [...new Set(partitions)].map(
    (partition): Reading => ({ partition, items: [], more: true }),
  );
  const isBefore = orderOf(selection);
  let waiting = readings;
  let [records, read] = [0, 0];
  for (;;) {
    const share = recordsPerPage(records, read) / waiting.length;
    const page = Math.ceil(records === 0 ? Math.max(share, fewest) : share);
    const sizes = await Promise.all(
      waiting.map((reading) =>
        readPage(reading, selection, limit && Math.min(limit - reading.items.length, page)),
      ),
    );
    read += sizes.reduce((sum, size) => sum + size, 0);
    records = readings.reduce((sum, { items }) => sum + items.length, 0);
    const items = merged(readings, isBefore);
    const last = limit === undefined ? undefined : items[limit - 1];
    waiting = readings.filter((reading) => reading.more && !(last && isKnown(last, reading, isBefore)));
    if (waiting.length === 0) return { items: items.slice(0, limit) };
    const cut = read + largestPage > bytes ? 'bytes' : Date.now() >= until ? 'time' : undefined;
    if (!cut) continue;
    const known = items.filter((item) => waiting.every((reading) => isKnown(item, reading, isBefore)));
    return { items: known.slice(0, limit), cut };
  }
}

type IsBefore = (one: Item, other: Item) => boolean;

/** Returns the comparator that sorts items in the order of the query. */
function orderOf({ index, newestFirst }: Selection): IsBefore {
  const { sortKey } = keysOf(index);
  return (one, other) => {
    const [first, second] = newestFirst ? [other, one] : [one, other];
    return String(first[sortKey]) < String(second[sortKey]);
  };
}

/** Reports whether a partition was read up to the position of an item. */
function isKnown(item: Item, { items }: Reading, isBefore: IsBefore): boolean {
  const end = items.at(-1);
  return end !== undefined && !isBefore(end, item);
}

function merged(readings: readonly Reading[], isBefore: IsBefore): Item[] {
  const distinct = new Map(readings.flatMap(({ items }) => items).map((item) => [nameOf(item), item]));
  return [...distinct.values()].sort((one, other) =>
    isBefore(one, other) ? -1 : Number(isBefore(other, one)),
  );
}
