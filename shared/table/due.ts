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
  /** Exclusive: records that are due at this time are not read. */
  before: Date;
  /** Start after this record, or at this instant. Default: the oldest record. */
  after?: Due | string;
  limit: number;
}

/**
 * Returns the records of one type and shard that are due before an instant, across all accounts, oldest first. The
 * index is eventually consistent, so callers must read each record before they act on the record.
 */
export async function readDue({ noun, shard, before, after, limit }: DueQuery): Promise<Due[]> {
  const { items } = await queryWithin(
    { partition: dueAcrossAccountsPartition(noun, shard), index: 'due', sortKey: dueRange(before, after) },
    { limit },
  );
  return items.map(({ dueSk }) => readDueKey(String(dueSk)));
}

/** Stores the position of the next sweep: 1 ms after `at`. Erasing an account does not delete this item. */
const storePlace = (key: Key, { at }: Due): Promise<unknown> =>
  transact(
    [putItem({ ...key, type: 'sweep', from: new Date(Date.parse(at) + 1).toISOString() })],
    Date.now() + longestWrite,
  );

interface ShardSweep extends Omit<DueQuery, 'after'> {
  /** The number of records handled in parallel. */
  atOnce: number;
  /** Milliseconds since 1970. After this time, the sweep handles no further records. */
  deadline: number;
}

/** The time limit for storing the position, in milliseconds. */
const longestWrite = 3_000;

/**
 * Handles the due records of a shard, oldest first. At the deadline, stores its position. The next sweep continues
 * there, so that records that always fail do not block other records. After the last record, deletes the position.
 * Returns the oldest record that was not handled, if any. An error of `handle` ends the sweep.
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
