import type { ListSource } from '../table/list-source.ts';
import { largestPage } from '../table/read.ts';
import { canProve } from '../table/read-index.ts';
import { loadUntil, totalOf } from './found-records.ts';
import {
  type FilterValues,
  isPlain,
  type List,
  type ListContext,
  type ListQuery,
  possibleTableFilters,
  requestedView,
} from './list-request.ts';
import { meets, type View } from './list-view.ts';
import { finder } from './read-indexed.ts';

/** The largest number that a count distinguishes. */
export const mostCounted = 1000;

/** The most records that a count compares, divided among the partitions of an index. */
const mostCompared = 4000;
const fewestOfPartition = 100;

/** The number of records that match a request. If it is not exact, it is a lower bound. */
export interface MatchCount {
  count: number;
  isExact: boolean;
}

/**
 * Counts the records that match a request, in one round trip, or two with the filters `mid` and `ticketNumber`. The first
 * of these plans that applies is used:
 *
 * 1. If an index of the table finds exactly the matches, the totals of the table are the count.
 * 2. If such an index applies some of the filters, the newest records in its partitions are compared.
 * 3. If the search index shows by itself which records match, its items are counted. If the caller reaches only some of the
 *    records, these are compared.
 * 4. The newest records of the list are compared.
 */
export async function countMatches<S>(
  list: List<S>,
  query: ListQuery,
  context: ListContext,
  sourceOf: (query: ListQuery, tableFilters: FilterValues) => ListSource<unknown, S>,
): Promise<MatchCount> {
  const { sort, ...unsorted } = query;
  const view = requestedView(list, query, context);
  const tableFilters = context.reach ? {} : possibleTableFilters(list, unsorted);
  const sourceFor = (filters: FilterValues) => sourceOf({ ...unsorted, ...filters }, filters);
  if (!context.reach && isPlain(list, unsorted))
    return { count: await sourceFor(tableFilters).total(), isExact: true };
  if (Object.keys(tableFilters).length > 0)
    return countNewest(partitionsIn(tableFilters).map(sourceFor), view);
  const source = sourceFor({});
  const isProvable = list.indexedFields && canProve(list.indexedFields, view);
  return ((context.reach || isProvable) && (await countIndexed(source, view))) || countNewest([source], view);
}

/** Returns each combination of one value for each filter. */
const partitionsIn = (tableFilters: FilterValues): FilterValues[] =>
  Object.entries(tableFilters).reduce<FilterValues[]>(
    (found, [name, values = []]) =>
      found.flatMap((one) => values.map((value) => ({ ...one, [name]: [value] }))),
    [{}],
  );

/**
 * Counts the matches in one round trip, with the newest records and up to 1,000 index items for each word and filter.
 * Returns undefined if the list has no index.
 */
async function countIndexed<S>(
  source: ListSource<unknown, S>,
  view: View<S>,
): Promise<MatchCount | undefined> {
  const conditions = view.words.length + view.filters.length;
  const known = await finder(source, view)?.(mostCounted * conditions);
  if (!known) return undefined;
  const { matches, rest } = view.reach
    ? await loadUntil(known.found, mostCounted, known.load)
    : { matches: [], rest: known.found };
  const { total, isExact } = totalOf(matches.length, rest, known.candidates.isComplete);
  return { count: total, isExact };
}

/**
 * Compares the newest records of each source with a request: at most 1,000 records and one page of a query of each source,
 * so that one round trip is enough. The count is exact if these are all records of the sources.
 */
async function countNewest<S>(
  sources: readonly ListSource<unknown, S>[],
  view: Pick<View<S>, 'conditions' | 'created'>,
): Promise<MatchCount> {
  const { before, from } = view.created;
  const matches = meets(view);
  const share = Math.max(fewestOfPartition, Math.ceil(mostCompared / sources.length));
  const limit = Math.min(mostCounted, share);
  const counts = await Promise.all(
    sources.map(async (source): Promise<MatchCount> => {
      const { items, cut } = await source.newest({
        limit: limit + 1,
        bytes: largestPage,
        before,
        from,
      });
      const matching = items.slice(0, limit).filter(matches);
      return { count: matching.length, isExact: cut === undefined && items.length <= limit };
    }),
  );
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    isExact: counts.every(({ isExact }) => isExact),
  };
}
