import { ApiError } from '../errors.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import { type Bounds, getItem, type QueryResult, queryItems, queryWithin } from '../table/read.ts';
import type { Backlog } from './backlog.ts';
import { type Entry, entryIn, pointerIn } from './entry.ts';
import { backlogEntryKey, backlogEntryRange, backlogPartition, openRange } from './keys.ts';

/** How deep a list goes, and a count with it: so many entries, or so many bytes of them, which is a second of reading. */
const mostCounted = 10_000;
const mostBytesCounted = 24 * 1024 * 1024;

/** The entry by its id, or undefined where there is none, or it has expired. */
export async function findEntry<C>(
  { account, name }: Backlog,
  id: string,
  now: Date,
): Promise<Entry<C> | undefined> {
  return entryIn<C>(await getItem(backlogEntryKey(account, name, id)), now);
}

/** The entry by its id. Throws `not_found`. */
export async function getEntry<C>(backlog: Backlog, id: string, now: Date): Promise<Entry<C>> {
  const entry = await findEntry<C>(backlog, id, now);
  if (!entry) throw new ApiError('not_found');
  return entry;
}

/**
 * The entries of a backlog as the source of a list, by their ids, the largest first; those that have expired are left out. They
 * are counted by reading them, up to 10,000 or 24 MB of them.
 */
export function entriesOf<C>({ account, name }: Backlog, now: Date): ListSource<Entry<C>> {
  const query = { partition: backlogPartition(account, name), sortKey: backlogEntryRange, newestFirst: true };
  const newest = async (bounds: Bounds): Promise<QueryResult<Entry<C>>> => {
    const { items, cut } = await queryWithin(query, bounds);
    return { items: items.map((item) => entryIn<C>(item, now)).filter((entry) => entry !== undefined), cut };
  };
  const counted = readOnce(() => newest({ limit: mostCounted, bytes: mostBytesCounted }));
  return { newest, total: async () => (await counted()).items.length, show: async (page) => page };
}

/** How many entries wait, up to 10,000, and since when the oldest of them does. One unit of reading for about 25. */
export async function waitingOf({
  account,
  name,
}: Backlog): Promise<{ waiting: number; oldestWaitingAt?: string }> {
  const query = { partition: backlogPartition(account, name), sortKey: openRange, limit: mostCounted };
  const pointers = (await queryItems(query)).map(pointerIn).filter((pointer) => pointer && !pointer.once);
  const [oldest] = pointers.map((pointer) => pointer?.createdAt ?? '').sort();
  return { waiting: pointers.length, ...(oldest && { oldestWaitingAt: oldest }) };
}
