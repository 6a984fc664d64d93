import { firstIdAt } from '../id/mint.ts';
import type { Item } from './item.ts';
import { digits } from './keys.ts';
import { type Bounds, keysOf, type QueryResult, type Selection } from './read.ts';

/**
 * Reads the newest records of a list with `query`. If the bounds contain `before` or `from`, only records between these
 * positions are read. With `before`, the result contains positions. `convert` returns undefined for items that are not
 * part of the list.
 */
export async function queryList<Q extends Selection, R>(
  query: (selection: Q, bounds: Bounds) => Promise<QueryResult>,
  selection: Q,
  { before, from, oldestFirst = false, ...bounds }: Bounds,
  convert: (item: Item) => R | undefined,
): Promise<QueryResult<R>> {
  const sortKey = before || from ? within({ before, from }, selection.sortKey) : selection.sortKey;
  if (sortKey && sortKey.from > sortKey.to) return { items: [], positions: [] };
  const { items: found, cut } = await query({ ...selection, newestFirst: !oldestFirst, sortKey }, bounds);
  const kept = found.flatMap((item) => {
    const record = convert(item);
    return record === undefined ? [] : [{ item, record }];
  });
  const items = kept.map(({ record }) => record);
  if (before === undefined) return { items, cut };
  const positionOf = (item: Item) => String(item[keysOf(selection.index).sortKey]);
  const last = found.at(-1);
  return {
    items,
    cut,
    positions: kept.map(({ item }) => positionOf(item)),
    ...(last && (cut || found.length === bounds.limit) && { next: positionOf(last) }),
  };
}

/** The first list position of the records that are created at an instant. */
export const firstPositionAt = (instant: Date): string =>
  digits(Math.min(firstIdAt(instant), Number.MAX_SAFE_INTEGER));

/** Limits a range to the sort keys between two positions. Sort keys contain only ASCII characters below `~`. */
function within(
  { before, from = '' }: Pick<Bounds, 'before' | 'from'>,
  range = { from: ' ', to: '~' },
): { from: string; to: string } {
  const to = before ? endBefore(before) : range.to;
  return { from: from > range.from ? from : range.from, to: to < range.to ? to : range.to };
}

const endBefore = (position: string): string =>
  `${position.slice(0, -1)}${String.fromCharCode(position.charCodeAt(position.length - 1) - 1)}~`;
