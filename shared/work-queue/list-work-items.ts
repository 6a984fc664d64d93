import { ApiError } from '../errors.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import { type Bounds, getItem, type QueryResult, queryItems, queryWithin } from '../table/read.ts';
import { pointerRange, workItemKey, workItemRange, workQueuePartition } from './keys.ts';
import { pointerIn, type WorkItem, workItemIn } from './work-item.ts';
import type { WorkQueue } from './work-queue.ts';

/** How deep a list goes, and a count with it: so many work items, or so many bytes of them, which is a second of reading. */
const mostCounted = 10_000;
const mostBytesCounted = 24 * 1024 * 1024;

/** The work item by its id, or undefined where there is none, or it has expired. */
export async function findWorkItem<C>(
  { account, name }: WorkQueue,
  id: string,
  now: Date,
): Promise<WorkItem<C> | undefined> {
  return workItemIn<C>(await getItem(workItemKey(account, name, id)), now);
}

/** The work item by its id. Throws `not_found`. */
export async function getWorkItem<C>(workQueue: WorkQueue, id: string, now: Date): Promise<WorkItem<C>> {
  const workItem = await findWorkItem<C>(workQueue, id, now);
  if (!workItem) throw new ApiError('not_found');
  return workItem;
}

/**
 * The work items of a work queue as the source of a list, by their ids, the largest first; those that have expired are left out. They
 * are counted by reading them, up to 10,000 or 24 MB of them.
 */
export function workItemsOf<C>({ account, name }: WorkQueue, now: Date): ListSource<WorkItem<C>> {
  const query = { partition: workQueuePartition(account, name), sortKey: workItemRange, newestFirst: true };
  const newest = async (bounds: Bounds): Promise<QueryResult<WorkItem<C>>> => {
    const { items, cut } = await queryWithin(query, bounds);
    return {
      items: items.map((item) => workItemIn<C>(item, now)).filter((workItem) => workItem !== undefined),
      cut,
    };
  };
  const counted = readOnce(() => newest({ limit: mostCounted, bytes: mostBytesCounted }));
  return { newest, total: async () => (await counted()).items.length, show: async (page) => page };
}

/** How many work items wait, up to 10,000, and since when the oldest of them does. One unit of reading for about 25. */
export async function waitingOf({
  account,
  name,
}: WorkQueue): Promise<{ waiting: number; oldestWaitingAt?: string }> {
  const query = { partition: workQueuePartition(account, name), sortKey: pointerRange, limit: mostCounted };
  const pointers = (await queryItems(query)).map(pointerIn).filter((pointer) => pointer && !pointer.once);
  const [oldest] = pointers.map((pointer) => pointer?.createdAt ?? '').sort();
  return { waiting: pointers.length, ...(oldest && { oldestWaitingAt: oldest }) };
}
