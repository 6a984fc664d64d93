import type { ListSource } from '../table/list-source.ts';
import { largestPage } from '../table/read.ts';
import { meets, type View } from './list-view.ts';

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
 * Compares the newest records of each source with a request: at most 1,000 records and one page of a query of each source,
 * so that one round trip is enough. The count is exact if these are all records of the sources.
 */
export async function countNewest<S>(
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
