import type { ReachTerm } from '../security/reach.ts';
import type { IndexQuery, RecordIndex } from '../table/read-index.ts';
import { type Found, foundInTable } from './found-records.ts';

/** The most records that a request reads to compare them with its words and filters. */
const mostCompared = 1000;
/** The most index items that a request reads for the records that a caller reaches. */
const mostItems = 4000;
const recordsAtOnce = 200;

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
): Promise<Found<S>[] | undefined> {
  const { unbuilt, before, from } = query;
  const reached = await index.read(
    { words: [], filters: [reachFilter(reach)], unbuilt },
    { limit: mostItems, before, from },
  );
  if (!reached?.isComplete || reached.found.length > mostCompared) return undefined;
  const found: Found<S>[] = [];
  for (let read = 0; read < reached.found.length; read += recordsAtOnce) {
    const batch = reached.found.slice(read, read + recordsAtOnce);
    const records = await index.load(batch.map(({ id }) => id));
    found.push(
      ...records.flatMap((one, n) =>
        one && matches(one.record)
          ? [{ ...foundInTable(one.record, one.position, rankOf?.(one.record)), id: batch[n]?.id ?? '' }]
          : [],
      ),
    );
  }
  return found;
}
