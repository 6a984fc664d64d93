import type { ReachTerm } from '../security/reach.ts';
import type { IndexQuery, RecordIndex } from '../table/read-index.ts';
import { comparedRecords, type LoadedRecord, loader, loadUntil } from './found-records.ts';

/** The most index items that a request reads for the records that a caller reaches. */
const mostItems = 4000;

/** The filter that finds the records that a caller reaches. */
export const reachFilter = (reach: readonly ReachTerm[]) => ({ field: 'reach', anyOf: reach });

/**
 * Returns the records that a caller with a limited permission reaches and that match, newest first. Undefined if the caller
 * reaches too many records to compare all of them.
 *
 * Words and other filters are not looked up in the index, because their entries belong to the records of everybody: whether a
 * total is exact, and how many requests are sent, would show whether hidden records match.
 */
export async function readReached<S>(
  index: RecordIndex<S>,
  reach: readonly ReachTerm[],
  {
    matches,
    rankOf,
    ...query
  }: Pick<IndexQuery, 'unbuilt'> & {
    matches(record: S): boolean;
    rankOf?(record: S): number | undefined;
    before?: string;
    from?: string;
  },
): Promise<LoadedRecord<S>[] | undefined> {
  const { unbuilt, before, from } = query;
  const reached = await index.read(
    { words: [], filters: [reachFilter(reach)], unbuilt },
    { limit: mostItems, before, from },
  );
  if (!reached?.isComplete || reached.found.length > comparedRecords) return undefined;
  const unread = reached.found.map((one) => ({ ...one, isSure: false }));
  const read = await loadUntil(unread, Number.POSITIVE_INFINITY, loader(index, matches));
  if (read.rest.length > 0) return undefined;
  return read.matches.map((one) => ({ ...one, rank: rankOf?.(one.record) ?? 0, isSure: true }));
}
