import { type Due, dueAcrossAccountsPartition, dueRange, type ListedNoun, readDueKey } from './keys.ts';
import { queryWithin } from './read.ts';

interface DueQuery {
  noun: ListedNoun;
  shard: number;
  /** What is due at this very instant is not meant. */
  before: Date;
  /** Goes on behind this one. Left out: from the oldest. */
  after?: Due;
  limit: number;
}

/**
 * What of a noun was due before an instant in one of the `dueShards`, oldest first, across accounts. The index may be a moment
 * late: whoever acts on it reads the record first.
 */
export async function readDue({ noun, shard, before, after, limit }: DueQuery): Promise<Due[]> {
  const { items } = await queryWithin(
    { partition: dueAcrossAccountsPartition(noun, shard), index: 'due', sortKey: dueRange(before, after) },
    { limit },
  );
  return items.map(({ dueSk }) => readDueKey(String(dueSk)));
}
