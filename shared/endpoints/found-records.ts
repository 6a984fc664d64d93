import { ApiError } from '../errors.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Candidates, IndexCandidate, RecordIndex } from '../table/read-index.ts';
import { applyView, type ListResult, type Page, pageOf, type View } from './list-view.ts';
import { bytesOf, showPage } from './page-bytes.ts';

/** The most records that a request reads to compare them with conditions that the index cannot apply. */
export const comparedRecords = 1000;
/** If the index does not show that records match, this many are compared with the request to count them. */
const countedRecords = 25;
/** `sort` by another field reads all matches, up to this number. */
export const sortedRecords = 10_000;
/** The most bytes of records that a request reads. */
const mostBytes = 8 * 1024 * 1024;
/** The number of records that are read at once. */
const recordsAtOnce = 200;
/** The number of records to read in addition to those that are missing for a page, because some may not match. */
const spareRecords = 10;

/** A record that may match: compared with the request, or found in the index and not read yet. */
export interface Found<S> extends IndexCandidate {
  record?: S;
  /** True if the record matches, unless it was changed after the index. */
  isSure: boolean;
}

/** Returns a record that was read and compared with the request. */
export const foundInTable = <S>(record: S, position = '', rank = 0): Found<S> => ({
  id: '',
  position,
  rank,
  record,
  isSure: true,
});

/** The records that match or may match a request. */
export interface Matches<S> {
  found: readonly Found<S>[];
  candidates: Pick<Candidates, 'isComplete' | 'order' | 'end'>;
  load: Load<S>;
}

/** Reads the records that were not read yet. Omits those that do not match. */
type Load<S> = (found: readonly Found<S>[]) => Promise<LoadedRecord<S>[]>;
export type LoadedRecord<S> = Found<S> & { record: S };

export const loader =
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
export async function loadUntil<S>(
  found: readonly Found<S>[],
  wanted: number,
  load: Load<S>,
): Promise<{ matches: LoadedRecord<S>[]; rest: readonly Found<S>[]; last?: Found<S> }> {
  const matches: LoadedRecord<S>[] = [];
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
export function totalOf<S>(matches: number, rest: readonly Found<S>[], isComplete: boolean) {
  const sure = rest.filter(({ isSure }) => isSure).length;
  return { total: matches + sure, isExact: isComplete && sure === rest.length };
}

export const withTotal = <R>(page: Page<R>, isExact: boolean): Page<R> =>
  isExact ? page : { ...page, totalIsLowerBound: true };

/**
 * Returns a page without a cursor: in the order of `sort`, or with the best matches first, and then the newest. Undefined
 * if there are too many matches to sort them.
 */
export const pageInOrder = <R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  matches: Matches<S>,
  until: number,
) => (view.order.length > 0 ? sorted(source, view, matches, until) : ranked(source, view, matches));

async function ranked<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  { found, candidates, load }: Matches<S>,
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
  const data = (isSure ? read.matches : read.matches.slice(start, end)).map(({ record }) => record);
  return { page: withTotal(await showPage(source, view, pageOf(data, total, page, pageSize)), isExact) };
}

/** Sorts better matches first, and newer records before older ones if their positions are known. */
export const byRank =
  (isByPosition: boolean) =>
  (one: IndexCandidate, other: IndexCandidate): number =>
    one.rank - other.rank || (isByPosition ? (one.position < other.position ? 1 : -1) : 0);

async function sorted<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  { found, candidates, load }: Matches<S>,
  until: number,
): Promise<ListResult<R> | undefined> {
  const isLimited = view.reach !== undefined;
  if (!isLimited && (!candidates.isComplete || found.length > sortedRecords)) return undefined;
  const records: S[] = [];
  let [bytes, read] = [0, 0];
  while (read < Math.min(found.length, sortedRecords)) {
    if (Date.now() >= until || bytes > mostBytes) {
      if (!isLimited) return undefined;
      break;
    }
    const loaded = (await load(found.slice(read, read + recordsAtOnce))).map(({ record }) => record);
    bytes += bytesOf(loaded);
    records.push(...loaded);
    read += recordsAtOnce;
  }
  const isAll = candidates.isComplete && read >= found.length;
  const page = await showPage(source, view, applyView(records, { ...view, conditions: [] }));
  return { page, ...(!isAll && { window: Math.min(read, found.length) }) };
}
