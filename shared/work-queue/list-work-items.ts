import { ApiError } from '../errors.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import { type Bounds, getItem, type QueryResult, queryItems, queryWithin } from '../table/read.ts';
import type { WorkQueue } from './keys.ts';
import { pointerRange, workItemKey, workItemRange, workQueuePartition } from './keys.ts';
import { pointerIn, type WorkItem, workItemIn } from './work-item.ts';

/** A count ends after this many work items, or this many bytes of them, which take about a second to read. */
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

/** Lists the unexpired work items of a work queue, largest id first. Counts them by reading up to 10,000 or 24 MB. */
export function workItemsOf<C>(workQueue: WorkQueue, now: Date): ListSource<WorkItem<C>> {
  const query = { partition: workQueuePartition(workQueue), sortKey: workItemRange, newestFirst: true };
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

/** Counts the waiting work items, up to 10,000, and finds the age of the oldest. One read unit covers about 25. */
export async function waitingOf(
  workQueue: WorkQueue,
): Promise<{ waiting: number; oldestWaitingAt?: string }> {
  const query = { partition: workQueuePartition(workQueue), sortKey: pointerRange, limit: mostCounted };
  const pointers = (await queryItems(query)).map(pointerIn).filter((pointer) => pointer && !pointer.once);
  const [oldest] = pointers.map((pointer) => pointer?.createdAt ?? '').sort();
  return { waiting: pointers.length, ...(oldest && { oldestWaitingAt: oldest }) };
}
