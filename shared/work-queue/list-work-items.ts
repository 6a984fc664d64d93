import { ApiError } from '../errors.ts';
import { queryList } from '../table/list-query.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import { type Bounds, getItem, type QueryResult, queryItems, queryWithin } from '../table/read.ts';
import type { WorkQueue } from './keys.ts';
import { pointerRange, workItemKey, workItemRange, workQueuePartition } from './keys.ts';
import { pointerIn, type WorkItem, workItemIn } from './work-item.ts';

/** Counting ends after this many work items or bytes. Reading them takes about a second. */
const mostCounted = 10_000;
const mostBytesCounted = 24 * 1024 * 1024;

export const findWorkItem = async <C>(
  workQueue: WorkQueue,
  id: string,
  now: Date,
): Promise<WorkItem<C> | undefined> => workItemIn<C>(await getItem(workItemKey(workQueue, id)), now);

export async function getWorkItem<C>(workQueue: WorkQueue, id: string, now: Date): Promise<WorkItem<C>> {
  const workItem = await findWorkItem<C>(workQueue, id, now);
  if (!workItem) throw new ApiError('not_found');
  return workItem;
}

/** Lists the unexpired work items of a work queue, largest id first. Counts at most 10,000 items or 24 MB. */
export function workItemsOf<C>(workQueue: WorkQueue, now: Date): ListSource<WorkItem<C>> {
  const query = { partition: workQueuePartition(workQueue), sortKey: workItemRange };
  const newest = (bounds: Bounds): Promise<QueryResult<WorkItem<C>>> =>
    queryList(queryWithin, query, bounds, (item) => workItemIn<C>(item, now));
  const counted = readOnce(() => newest({ limit: mostCounted, bytes: mostBytesCounted }));
  return { newest, total: async () => (await counted()).items.length, show: async (page) => page };
}

/** Counts the waiting work items, up to 10,000, and finds the oldest. A read unit covers about 25 pointers. */
export async function waitingOf(
  workQueue: WorkQueue,
): Promise<{ waiting: number; oldestWaitingAt?: string }> {
  const query = { partition: workQueuePartition(workQueue), sortKey: pointerRange, limit: mostCounted };
  const pointers = (await queryItems(query)).map(pointerIn).filter((pointer) => pointer && !pointer.once);
  const [oldest] = pointers.map((pointer) => pointer?.createdAt ?? '').sort();
  return { waiting: pointers.length, ...(oldest && { oldestWaitingAt: oldest }) };
}
