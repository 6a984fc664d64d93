import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { ReachedType } from '../resources/registry.ts';
import type { Reaching } from '../security/reach.ts';
import type { ListSource } from '../table/list-source.ts';
import { cursorOf, earlier } from './cursor.ts';
import { applyView, type ListResult, meets, pageOf, type View } from './list-view.ts';
import { showFitting, showPage } from './page-bytes.ts';
import { hidesSomeOf, type ParentRecord, shownTo } from './parent-records.ts';
import { listWindow } from './read-newest.ts';

/** The most records that a request reads if the rate limit counts it as one call. */
const mostOfOneCall = 1000;
/** The records that are read at once: few at first, because most pages need no more. */
const atOnce = { first: 100, more: 500 };

type Keep<S> = (records: S[]) => Promise<S[]>;

/** How a list hides records with their parents. Lists without parents do not bundle these functions. */
export interface HiddenWithParents<S> {
  /** Returns a function that leaves out the records that are hidden from the caller. Undefined if none are. */
  keepingFor<T extends S>(
    types: readonly ReachedType[],
    caller: { principal?: Reaching; account?: AccountId },
  ): Keep<T> | undefined;
  read: typeof readShown;
}

/** Hides the records of a list with their parents. The types in the contract's `reach` are those of the records that decide. */
export const hiddenWithParents = <S>(
  parentOf: (record: S) => ParentRecord | undefined,
): HiddenWithParents<S> => ({
  keepingFor: (types, { principal, account }) =>
    principal && account && hidesSomeOf(principal, types)
      ? (records) => shownTo(principal, account, types, records, parentOf)
      : undefined,
  read: readShown,
});

interface Shown<S> {
  record: S;
  position: string;
}

/**
 * Reads a page of a list for a caller from whom some of the records are hidden. Reads the records in the order of the list
 * until the page is full, and leaves out those that `keep` does not return.
 *
 * The total counts neither hidden records nor what follows the page, so that the response does not depend on hidden records:
 * it is exact on the last page, and otherwise a lower bound. Exception: a request reads at most 10,000 records, or 1,000 if
 * `isOneCall`. A page without a cursor beyond them throws `page_too_deep`, and one with a cursor is short.
 */
async function readShown<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  keep: Keep<S>,
  { until, isOneCall }: { until: number; isOneCall: boolean },
): Promise<ListResult<R>> {
  const { page, pageSize, before, order, created } = view;
  const isInOrder = order.length === 0 || (view.isPlain && !view.oldestFirst);
  const end = before === undefined ? page * pageSize : pageSize;
  const start = earlier(before ?? '', created.before);
  const bounds = { from: created.from, until };
  const wanted = isInOrder ? end + 1 : Number.POSITIVE_INFINITY;
  const most = isOneCall ? mostOfOneCall : listWindow.records;
  const { found, next } = await collect(source, view, keep, { ...bounds, start, wanted, most });
  const records = found.map(({ record }) => record);
  if (!isInOrder) {
    const sorted = await showPage(source, view, applyView(records, { ...view, conditions: [] }));
    return { page: sorted, ...(next !== undefined && { window: records.length }) };
  }
  const isMore = found.length > end || next !== undefined;
  const counted = Math.min(found.length, end + 1);
  const isBound = isMore || (before !== undefined && before !== '');
  if (before === undefined) {
    if (next !== undefined && page > 1 && found.length <= end - pageSize) throw new ApiError('page_too_deep');
    const shown = pageOf(records.slice(end - pageSize, end), counted, page, pageSize);
    return {
      page: { ...(await showPage(source, view, shown)), ...(isBound && { totalIsLowerBound: true }) },
    };
  }
  const data = await showFitting(source, records.slice(0, pageSize));
  const position = data.length < found.length ? found[data.length - 1]?.position : next;
  const nextCursor = position === undefined ? null : cursorOf(position);
  return {
    page: {
      ...pageOf(data, counted, 1, pageSize),
      ...(isBound && { totalIsLowerBound: true }),
      nextCursor,
    },
  };
}

/** Reads records until `wanted` of them are shown. `next` is the last position that was read, if there may be more. */
async function collect<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  keep: Keep<S>,
  {
    start,
    from,
    until,
    wanted,
    most,
  }: { start: string; from?: string; until: number; wanted: number; most: number },
): Promise<{ found: Shown<S>[]; next?: string }> {
  const matches = meets(view);
  const found: Shown<S>[] = [];
  let [before, read, bytes]: [string, number, number] = [start, 0, listWindow.bytes];
  for (;;) {
    const limit = Math.min(read === 0 && wanted < atOnce.first ? atOnce.first : atOnce.more, most - read);
    const batch = await source.newest({ before, from, until, bytes, limit });
    const matching = batch.items.flatMap((record, n) =>
      matches(record) ? [{ record, position: batch.positions?.[n] ?? '' }] : [],
    );
    const kept = new Set(await keep(matching.map(({ record }) => record)));
    found.push(...matching.filter(({ record }) => kept.has(record)));
    read += limit;
    bytes -= Buffer.byteLength(JSON.stringify(batch.items));
    if (batch.next === undefined) return { found };
    if (found.length >= wanted) return { found, next: found.at(-1)?.position };
    const isExhausted = read >= most || bytes <= 0 || Date.now() >= until;
    if (isExhausted || batch.cut === 'time') return { found, next: batch.next };
    before = batch.next;
  }
}
