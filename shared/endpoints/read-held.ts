import { isReached, type ReachTerm } from '../security/reach.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import type { Bounds, QueryResult } from '../table/read.ts';
import { type LoadedRecord, loader } from './found-records.ts';
import type { ListResult, View } from './list-view.ts';
import { reachFilter } from './reached-records.ts';
import { readNewest } from './read-newest.ts';

/** The most records of others in which the caller takes part. With more, the search index finds all records of the list. */
const mostShared = 25;
/** The most index items to read for them. They also name records that the caller owns. */
const mostItems = 100;

/**
 * Reads a page of the newest records of a caller who reaches only the own ones, in one round trip: the index `holder`
 * contains the records that are assigned to the caller, and counters contain the totals. If the caller takes part in records
 * of others, the search index finds these in further round trips.
 *
 * Returns undefined if the request has other conditions or an order, if the caller reaches records for another reason, or if
 * the list has no such index.
 */
export async function readHeld<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  until: number,
): Promise<ListResult<R> | undefined> {
  const { heldBy, index } = source;
  const { reach = [], conditions, order, unbuilt } = view;
  const held = reach.filter(({ field }) => field === heldBy?.field);
  const shared = reach.filter((term) => !held.includes(term));
  const isOwnOnly = held.length > 0 && shared.every(({ reason }) => reason === 'participant');
  if (!heldBy || !index || !isOwnOnly || conditions.length > 1 || order.length > 0) return undefined;
  const valuesOf = (terms: readonly ReachTerm[]) => terms.flatMap(({ values }) => values);
  const [owners, participants] = [valuesOf(held), valuesOf(shared)];
  const records = heldBy.list(owners);
  const readTotals = readOnce(() => heldBy.totals(owners, participants));
  const readShared = readOnce(async () => {
    const isShared = (record: S) => isReached(shared, record as object) && !isReached(held, record as object);
    const found = await index.read(
      { words: [], filters: [reachFilter(shared)], unbuilt },
      { limit: mostItems },
    );
    if (!found?.isComplete) return undefined;
    return loader(index, isShared)(found.found.map((one) => ({ ...one, isSure: false })));
  });
  const own: ListSource<R, S> = {
    async newest(bounds) {
      const [found, totals] = await Promise.all([
        records.newest({ ...bounds, before: bounds.before ?? '' }),
        readTotals(),
      ]);
      const hasOthers = totals.shared > 0 && totals.shared <= mostShared;
      return hasOthers ? withOthers(found, (await readShared()) ?? [], bounds) : found;
    },
    async total() {
      const totals = await readTotals();
      return totals.held + totals.shared;
    },
    show: source.show,
  };
  const [page, { shared: others }] = await Promise.all([
    readNewest(own, { ...view, reach: undefined }, until),
    readTotals(),
  ]);
  const isAll = others === 0 || (others <= mostShared && (await readShared()) !== undefined);
  return isAll ? { page } : undefined;
}

/** Adds records to the result of a query, in the order of the list, and within the bounds of the query. */
function withOthers<S>(
  { items, positions = [], cut, next }: QueryResult<S>,
  others: readonly LoadedRecord<S>[],
  { limit = Number.POSITIVE_INFINITY, before, from = '' }: Bounds,
): QueryResult<S> {
  // The records after `next` are not known. The positions in a list are numbers of the same length.
  const isWithin = ({ position }: { position: string }) =>
    (!before || position < before) && position >= from && (next === undefined || position > next);
  const all = [
    ...items.map((record, n) => ({ record, position: positions[n] ?? '' })),
    ...others.filter(isWithin),
  ]
    .sort((one, other) => (one.position < other.position ? 1 : -1))
    .slice(0, limit);
  const last = all.at(-1);
  const isCut = next !== undefined || all.length === limit;
  return {
    items: all.map(({ record }) => record),
    positions: all.map(({ position }) => position),
    cut,
    ...(last && isCut && { next: last.position }),
  };
}
