import { ApiError } from '../errors.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import {
  type Candidates,
  type IndexCandidate,
  type Listed,
  newestFirst,
  type RecordIndex,
} from '../table/read-index.ts';
import { type MatchCount, mostCounted } from './count-view.ts';
import { cursorOf, earlier } from './cursor.ts';
import { applyView, type ListResult, meets, type Page, pageOf, type View } from './list-view.ts';
import { bytesOf, checkSize, fittingCount } from './page-bytes.ts';
import { readChanged } from './read-changes.ts';

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
/** The most records that a request reads to compare them with conditions that the index cannot apply. */
const comparedRecords = 1000;
/** If the index does not show that records match, this many are compared with the request to count them. */
const countedRecords = 25;
/** `sort` by another field reads all matches, up to this number. */
const sortedRecords = 10_000;
/** The most bytes of records that a request reads. */
const mostBytes = 8 * 1024 * 1024;
/** The number of records that are read at once. */
const recordsAtOnce = 200;
/** The number of records to read in addition to those that are missing for a page, because some may not match. */
const spareRecords = 10;

/** A record that may match: compared with the request, or found in the index and not read yet. */
interface Found<S> extends IndexCandidate {
  record?: S;
  /** True if the record matches, unless it was changed after the index. */
  isSure: boolean;
}

/**
 * Reads a page of a list with the search index, or with the event log if few events show which records changed. The cost
 * does not depend on the size of the list. Returns undefined if the list has no index, or if neither can apply the
 * request. Every record on the page was read from the table and matches the request. If not all matches were found, the
 * total is a lower bound.
 *
 * A page without a cursor has the best matches of a search first. A page with a cursor has the newest records first, and
 * is short if the limits of the request are reached before it is full. If a filter by a time finds too many records to
 * sort them, pages have the earliest times first.
 */
export async function readFound<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  until: number,
): Promise<ListResult<R> | undefined> {
  const { index } = source;
  const { page, pageSize, before, order } = view;
  const changed = index && view.changes && (await readChanged(index, view.changes));
  if (changed) {
    const load = loader(index, meets(view));
    return inOrder(source, view, { ...matchesIn(changed, view), load }, until);
  }
  const end = page * pageSize;
  const atLeast = (items: number) => Math.min(sortedRecords, Math.max(items, 2 * end));
  const pageFrom = (known: Known<S> | undefined) =>
    known && (before === undefined ? inOrder(source, view, known, until) : after(source, view, known));
  const find = finder(source, view);
  if (!find) return undefined;
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
 * Counts the matches in one round trip, with the newest records and up to 1,000 index items for each word and filter.
 * Returns undefined if the list has no index.
 */
export async function countFound<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
): Promise<MatchCount | undefined> {
  const conditions = view.words.length + view.filters.length;
  const known = await finder(source, view)?.(mostCounted * conditions);
  if (!known) return undefined;
  const { total, isExact } = totalOf(0, known.found, known.candidates.isComplete);
  return { count: total, isExact };
}

/**
 * Returns a function that reads about `limit` items of the index, and in the same round trip the newest records. A second
 * call reads only the index. Returns undefined if the list has no index, or if the index cannot apply the request.
 */
function finder<R, S>(
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
  return async (limit) => {
    const [newest, candidates] = await Promise.all([
      readNewest(),
      index.read(view, { limit, after: place, ...positions }),
    ]);
    if (!candidates) return undefined;
    const compared = newest.items.flatMap((record, n): Found<S>[] =>
      matches(record)
        ? [
            {
              id: '',
              position: newest.positions?.[n] ?? '',
              rank: rankOf?.(record) ?? 0,
              record,
              isSure: true,
            },
          ]
        : [],
    );
    const inRange = candidates.found
      .filter(({ position }) => position >= (positions.from ?? ''))
      .map((one) => ({ ...one, isSure: candidates.isProven(one) && isCertain(one) }));
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

/** Reports whether a cursor is a place in the order of a time. Other cursors are list positions. */
const isPlace = (cursor = ''): boolean => cursor.includes('#');

/** Returns the matches among records that were read. There are no others. */
function matchesIn<S>(listed: readonly Listed<S>[], view: View<S>): Omit<Known<S>, 'load'> {
  const matches = meets(view);
  const found = listed
    .filter(({ record }) => matches(record))
    .map((one) => ({ ...one, id: '', rank: view.rankOf?.(one.record) ?? 0, isSure: true }))
    .sort(newestFirst);
  const candidates = { found: [], isComplete: true, order: 'position' as const, isProven: () => true };
  return { found, candidates, next: undefined };
}

/** Returns a page without a cursor: in the order of `sort`, or with the best matches first. */
const inOrder = <R, S>(source: ListSource<R, S>, view: View<S>, known: Known<S>, until: number) =>
  view.order.length > 0 ? sorted(source, view, known, until) : ranked(source, view, known);

interface Known<S> {
  /** The newest records that match, and the candidates of the index. */
  found: readonly Found<S>[];
  candidates: Candidates;
  /** The position after the newest records; undefined if there are no others. */
  next: string | undefined;
  load: Load<S>;
}

/** Reads the records that were not read yet. Omits those that do not match. */
type Load<S> = (found: readonly Found<S>[]) => Promise<Loaded<S>[]>;
type Loaded<S> = Found<S> & { record: S };

const loader =
  <S>(index: RecordIndex<S>, matches: (record: S) => boolean): Load<S> =>
  async (found) => {
    const unread = found.filter(({ record }) => record === undefined);
    const read = unread.length > 0 ? await index.load(unread.map(({ id }) => id)) : [];
    const records = new Map(unread.map(({ id }, n) => [id, read[n]?.record]));
    return found.flatMap((one) => {
      const record = one.record ?? records.get(one.id);
      return record !== undefined && (one.record !== undefined || matches(record))
        ? [{ ...one, record }]
        : [];
    });
  };

/** Reads records in their order until `wanted` of them match. Returns the matches, and the records that were not read. */
async function loadUntil<S>(
  found: readonly Found<S>[],
  wanted: number,
  load: Load<S>,
): Promise<{ matches: Loaded<S>[]; rest: readonly Found<S>[]; last?: Found<S> }> {
  const matches: Loaded<S>[] = [];
  let [read, bytes] = [0, 0];
  while (read < found.length && matches.length < wanted && read < comparedRecords && bytes < mostBytes) {
    const batch = found.slice(read, read + Math.min(recordsAtOnce, wanted - matches.length + spareRecords));
    const loaded = await load(batch);
    matches.push(...loaded);
    bytes += bytesOf(loaded);
    read += batch.length;
  }
  return { matches, rest: found.slice(read), last: found[read - 1] };
}

/** Returns the number of matches. It is a lower bound if there may be others. */
function totalOf<S>(matches: number, rest: readonly Found<S>[], isComplete: boolean) {
  const sure = rest.filter(({ isSure }) => isSure).length;
  return { total: matches + sure, isExact: isComplete && sure === rest.length };
}

const withTotal = <R>(page: Page<R>, isExact: boolean): Page<R> =>
  isExact ? page : { ...page, totalIsLowerBound: true };

/** Returns the page after a cursor. Undefined if the index found the records in another order than that of the cursor. */
async function after<R, S>(
  source: ListSource<R, S>,
  { before, pageSize }: View<S>,
  { found, candidates, next, load }: Known<S>,
): Promise<ListResult<R> | undefined> {
  const { isComplete, order, end = '' } = candidates;
  // A walk that began in the order of positions ends in this order, even if too many records match in the meantime.
  if (order === 'words' || (order === 'time' && before !== '' && !isPlace(before))) return undefined;
  const placeOf = (one: Found<S> | undefined) => (order === 'time' ? one?.place : one?.position);
  const { matches, rest, last } = await loadUntil(found, pageSize + 1, load);
  const shown = await source.show(matches.slice(0, pageSize).map(({ record }) => record));
  const data = shown.slice(0, fittingCount(shown.map(bytesOf)));
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

/** Returns a page with the best matches first, and then the newest. */
async function ranked<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  { found, candidates, load }: Known<S>,
): Promise<ListResult<R>> {
  const { page, pageSize, words } = view;
  const { isComplete, order } = candidates;
  const ordered = words.length > 0 ? found.toSorted(byRank(order === 'position')) : found;
  const [start, end] = [(page - 1) * pageSize, page * pageSize];
  if (!isComplete && start > 0 && start >= ordered.length) throw new ApiError('page_too_deep');
  const isSure = ordered.slice(0, end).every((one) => one.isSure);
  const read = isSure
    ? {
        matches: await load(ordered.slice(start, end)),
        rest: [...ordered.slice(0, start), ...ordered.slice(end)],
      }
    : await loadUntil(ordered, Math.max(end, countedRecords), load);
  const { total, isExact } = totalOf(read.matches.length, read.rest, isComplete);
  const records = (isSure ? read.matches : read.matches.slice(start, end)).map(({ record }) => record);
  const data = await source.show(records);
  checkSize(data, view);
  return { page: withTotal(pageOf(data, total, page, pageSize), isExact) };
}

/** Sorts better matches first, and newer records before older ones if their positions are known. */
export const byRank =
  (isByPosition: boolean) =>
  (one: IndexCandidate, other: IndexCandidate): number =>
    one.rank - other.rank || (isByPosition ? (one.position < other.position ? 1 : -1) : 0);

/** Returns a page in the order of other fields. Undefined if there are too many matches. */
async function sorted<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  { found, candidates, load }: Known<S>,
  until: number,
): Promise<ListResult<R> | undefined> {
  if (!candidates.isComplete || found.length > sortedRecords) return undefined;
  const records: S[] = [];
  let bytes = 0;
  for (let read = 0; read < found.length; read += recordsAtOnce) {
    if (Date.now() >= until || bytes > mostBytes) return undefined;
    const loaded = (await load(found.slice(read, read + recordsAtOnce))).map(({ record }) => record);
    bytes += bytesOf(loaded);
    records.push(...loaded);
  }
  const { data, ...counts } = applyView(records, { ...view, conditions: [] });
  const page = { ...counts, data: await source.show(data) };
  checkSize(page.data, view);
  return { page };
}
