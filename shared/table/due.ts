import {
  type Due,
  dueAcrossAccountsPartition,
  dueRange,
  readDueKey,
  sweepPlaceAcrossAccountsKey,
} from './due-keys.ts';
import type { Item } from './item.ts';
import type { Key, ListedNoun } from './keys.ts';
import { deleteItem, putItem } from './operations.ts';
import { getItem, queryWithin } from './read.ts';
import { transact } from './transact.ts';

interface DueQuery {
  noun: ListedNoun;
  shard: number;
  /** What is due at this very instant is not meant. */
  before: Date;
  /** Goes on behind this one, or from this instant on. Left out: from the oldest. */
  after?: Due | string;
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

/** The next run begins a millisecond later. The place names no account, so an erased account is not named here. */
const storePlace = (key: Key, { at }: Due): Promise<unknown> =>
  transact(
    [putItem({ ...key, type: 'sweep', from: new Date(Date.parse(at) + 1).toISOString() })],
    Date.now() + longestWrite,
  );

interface ShardSweep extends Omit<DueQuery, 'after'> {
  /** So many are handled side by side. */
  atOnce: number;
  /** Nothing is begun after it, in milliseconds since 1970. */
  deadline: number;
}

/** Milliseconds for the write that stores where a run stopped. */
const longestWrite = 3_000;

/**
 * Handles everything of a noun that is due in a shard, the oldest first. A run that stops at its deadline stores its place and
 * the next run goes on from there, so that what fails in each run keeps nothing else waiting. The run after that begins with
 * the oldest again. Returns the oldest that this run did not reach; undefined where it reached all. What `handle` throws ends
 * the run.
 */
export async function sweepDue(
  { atOnce, deadline, ...query }: ShardSweep,
  handle: (due: Due) => Promise<unknown>,
): Promise<Due | undefined> {
  const key = sweepPlaceAcrossAccountsKey(query.noun, query.shard);
  let page = await readDue(query);
  const [oldest] = page;
  if (!oldest) return undefined;
  const place = (await getItem(key)) as (Item & { from: string }) | undefined;
  if (place) page = await readDue({ ...query, after: place.from });
  const unreached = place && oldest.at < place.from ? oldest : undefined;
  let last: Due | undefined;
  for (;;) {
    for (let start = 0; start < page.length; start += atOnce) {
      if (Date.now() >= deadline) {
        if (last) await storePlace(key, last);
        return unreached ?? page[start];
      }
      const some = page.slice(start, start + atOnce);
      await Promise.all(some.map(handle));
      last = some.at(-1);
    }
    if (page.length < query.limit) break;
    page = await readDue({ ...query, after: last });
  }
  if (place) await transact([deleteItem(key)], Date.now() + longestWrite);
  return unreached;
}
