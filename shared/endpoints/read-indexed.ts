import type { ReachTerm } from '../security/reach.ts';
import type { Positions } from '../table/index-items.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import type { QueryResult } from '../table/read.ts';
import { type IndexCandidate, newestFirst, type RecordIndex } from '../table/read-index.ts';
import { cursorOf, earlier } from './cursor.ts';
import {
  type Found,
  foundInTable,
  loader,
  loadUntil,
  type Matches,
  pageInOrder,
  sortedRecords,
  totalOf,
  withTotal,
} from './found-records.ts';
import { type ListResult, meets, pageOf, type View } from './list-view.ts';
import { showFitting } from './page-bytes.ts';
import { reachFilter, readReached } from './reached-records.ts';

/**
 * The newest records, or the first ones after the cursor, are compared with the request itself. A short list is therefore
 * always exact, and a new record is found before the index contains it.
 */
export const newestRecords = 10;
/**
 * The number of index items that a request reads: about 2 read units. With several conditions, the request reads items for
 * each of them. If the items are not enough for the page, it reads more: about 13 read units. A page further back also
 * reads more items.
 */
const indexItems = { first: 100, forEachCondition: 50, more: 750 };

/** The matches that the index finds, and the newest records. `next` is the position after the newest records. */
interface Known<S> extends Matches<S> {
  next: string | undefined;
}

/**
 * Reads a page of a list with the search index. Returns undefined if the list has no index, or if the index cannot apply
 * the request. Every record on the page was read from the table and matches the request. If not all matches were found, the
 * total is a lower bound.
 *
 * A page without a cursor has the best matches of a search first. A page with a cursor has the newest records first, and
 * is short if the limits of the request are reached before it is full. If a filter by a time finds too many records to
 * sort them, pages have the earliest times first.
 */
export async function readIndexed<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  until: number,
): Promise<ListResult<R> | undefined> {
  const { page, pageSize, before, order } = view;
  const find = finder(source, view);
  if (!find) return undefined;
  const end = page * pageSize;
  const atLeast = (items: number) => Math.min(sortedRecords, Math.max(items, 2 * end));
  const pageFrom = (known: Known<S> | undefined) =>
    known &&
    (before === undefined ? pageInOrder(source, view, known, until) : pageAfter(source, view, known));
  if (order.length > 0) return pageFrom(await find(sortedRecords));
  const conditions = view.words.length + view.filters.length;
  const first = atLeast(Math.max(indexItems.first, indexItems.forEachCondition * conditions));
  const more = Math.max(first, atLeast(indexItems.more));
  const few = await find(first);
  if (!few || few.candidates.isComplete || first === more) return pageFrom(few);
  if (few.found.length >= end) {
    const result = await pageFrom(few);
    if (!result || result.page.data.length === pageSize) return result;
  }
  return pageFrom(await find(more));
}

/**
 * Returns a function that reads about `limit` items of the index, and in the same round trip the newest records. A second
 * call reads only the index. Returns undefined if the list has no index, or if the index cannot apply the request.
 */
export function finder<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
): ((limit: number) => Promise<Known<S> | undefined>) | undefined {
  const { index } = source;
  const { before, created, rankOf } = view;
  if (!index || !view.isIndexed) return undefined;
  const matches = meets(view);
  const isCertain = ({ position }: IndexCandidate) =>
    created.certainBefore === undefined || position < created.certainBefore;
  const place = isPlace(before) ? before : undefined;
  const positions = { before: earlier(place ? '' : (before ?? ''), created.before), from: created.from };
  const readNewest = readOnce(() => source.newest({ limit: newestRecords, ...positions }));
  if (view.reach)
    return reachedFinder(index, { ...view, reach: view.reach }, { matches, readNewest, positions });
  return async (limit) => {
    const [newest, candidates] = await Promise.all([
      readNewest(),
      index.read(view, { limit, after: place, ...positions }),
    ]);
    if (!candidates) return undefined;
    const compared = newest.items.flatMap((record, n) =>
      matches(record) ? [foundInTable(record, newest.positions?.[n], rankOf?.(record))] : [],
    );
    const inRange = candidates.found
      .filter(({ position }) => position >= (positions.from ?? ''))
      .map((one): Found<S> => ({ ...one, isSure: candidates.isProven(one) && isCertain(one) }));
    const older = inRange.filter(({ position }) => newest.next !== undefined && position < newest.next);
    const isShort = newest.next === undefined && !place;
    return {
      found: candidates.order === 'time' && !isShort ? inRange : [...compared, ...older],
      candidates: isShort ? { ...candidates, isComplete: true, order: 'position' } : candidates,
      next: newest.next,
      load: loader(index, matches),
    };
  };
}

/** The items of each word and filter that a request reads if the caller reaches too many records to compare all of them. */
const itemsOfLargeReach = 10_000;

/**
 * Like `finder`, for a caller with a limited permission. The newest records are only added to those that the index finds, so
 * that the records of others change neither a total nor the number of requests.
 */
function reachedFinder<S>(
  index: RecordIndex<S>,
  view: View<S> & { reach: readonly ReachTerm[] },
  {
    matches,
    readNewest,
    positions,
  }: {
    matches(record: S): boolean;
    readNewest(): Promise<QueryResult<S>>;
    positions: Positions;
  },
): (limit: number) => Promise<Known<S> | undefined> {
  const { reach, rankOf, unbuilt, conditions } = view;
  const isPlain = conditions.length === 1;
  const readFound = async (limit: number) => {
    if (isPlain) {
      const filters = [reachFilter(reach)];
      const candidates = await index.read({ words: [], filters, unbuilt }, { limit, ...positions });
      return candidates && { candidates, found: candidates.found.map((one) => ({ ...one, isSure: true })) };
    }
    const all = await readReached(index, reach, { matches, rankOf, unbuilt, ...positions });
    if (all) return { candidates: { isComplete: true, order: 'position' } as const, found: all };
    const candidates = await index.read(view, { limit: Math.max(limit, itemsOfLargeReach), ...positions });
    const found = candidates?.found.map((one) => ({ ...one, isSure: candidates.isProven(one) }));
    return candidates && found && { candidates, found };
  };
  return async (limit) => {
    const [newest, known] = await Promise.all([readNewest(), readFound(limit)]);
    if (!known) return undefined;
    const { candidates, found } = known;
    const inRange = found.filter(({ position }) => position >= (positions.from ?? ''));
    const places = new Set(inRange.map(({ position }) => position));
    const missing = newest.items.flatMap((record, n) => {
      const position = newest.positions?.[n] ?? '';
      return matches(record) && !places.has(position)
        ? [foundInTable(record, position, rankOf?.(record))]
        : [];
    });
    const load = loader(index, matches);
    const all = missing.length > 0 ? [...missing, ...inRange].sort(newestFirst) : inRange;
    return { found: all, candidates, next: undefined, load };
  };
}

/** Reports whether a cursor is a place in the order of a time. Other cursors are list positions. */
const isPlace = (cursor = ''): boolean => cursor.includes('#');

/** Returns the page after a cursor. Undefined if the index found the records in another order than that of the cursor. */
async function pageAfter<R, S>(
  source: ListSource<R, S>,
  { before, pageSize }: View<S>,
  { found, candidates, next, load }: Known<S>,
): Promise<ListResult<R> | undefined> {
  const { isComplete, order, end = '' } = candidates;
  // A walk that began in the order of positions ends in this order, even if too many records match in the meantime.
  if (order === 'words' || (order === 'time' && before !== '' && !isPlace(before))) return undefined;
  const placeOf = (one: Found<S> | undefined) => (order === 'time' ? one?.place : one?.position);
  const { matches, rest, last } = await loadUntil(found, pageSize + 1, load);
  const data = await showFitting(
    source,
    matches.slice(0, pageSize).map(({ record }) => record),
  );
  const readTo = order === 'position' && next !== undefined && next < end ? next : end;
  const position =
    data.length < matches.length
      ? placeOf(matches[data.length - 1])
      : rest.length > 0
        ? placeOf(last)
        : isComplete
          ? undefined
          : readTo;
  const { total, isExact } = totalOf(matches.length, rest, isComplete && before === '');
  const nextCursor = position === undefined ? null : cursorOf(position);
  return { page: { ...withTotal(pageOf(data, total, 1, pageSize), isExact), nextCursor } };
}
