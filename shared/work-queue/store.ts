import { type Due, dueAcrossAccountsKey } from '../table/due-keys.ts';
import { type Item, recordOf } from '../table/item.ts';
import type { TransactItem } from '../table/operations.ts';
import { getItem, getItems, queryItems } from '../table/read.ts';
import {
  newRevision,
  putRevised,
  type RevisedItem,
  reviseUnconditionally,
  setRevised,
} from '../table/revised-item.ts';
import type { WorkQueue } from './keys.ts';
import { queueStateKey, stateAndPointerRange, workItemKey, workQueuePartition } from './keys.ts';
import { emptyState, nextSweep, type WorkQueueState } from './queue-state.ts';
import { type Pointer, pointerIn, type WorkItem, workItemIn } from './work-item.ts';

export const workQueueNoun = 'WORKQUEUE';

/** The state of a work queue as it was read. `revision` is undefined if no state is stored yet. */
export interface StoredQueueState {
  state: WorkQueueState;
  revision?: string;
}

const queueStateIn = (item: Item | undefined): StoredQueueState => {
  if (!item) return { state: emptyState };
  const { revision, ...state } = recordOf<WorkQueueState & { revision: string }>(item);
  return { state: { ...emptyState, ...state }, revision };
};

export const readQueueState = async (queue: WorkQueue): Promise<StoredQueueState> =>
  queueStateIn(await getItem(queueStateKey(queue)));

/** Reads the state and the pointers with the earliest due times: at most `limit` items in total. */
export async function readPointers(
  queue: WorkQueue,
  limit: number,
): Promise<StoredQueueState & { pointers: Pointer[] }> {
  const query = { partition: workQueuePartition(queue), sortKey: stateAndPointerRange, limit };
  const items = await queryItems(query);
  const pointers = items.map(pointerIn).filter((pointer) => pointer !== undefined);
  return { ...queueStateIn(items.find((item) => !pointerIn(item))), pointers };
}

export async function readWorkItems<C>(
  queue: WorkQueue,
  pointers: readonly Pointer[],
  now: Date,
): Promise<(WorkItem<C> | undefined)[]> {
  const items = await getItems(pointers.map(({ id }) => workItemKey(queue, id)));
  return items.map((item) => workItemIn<C>(item, now));
}

/** Writes a state. Returns undefined if the stored state has changed since it was read. */
export async function writeQueueState(
  queue: WorkQueue,
  state: WorkQueueState,
  before: StoredQueueState,
): Promise<StoredQueueState | undefined> {
  const item = queueStateItem(queue, state);
  return (await putRevised(item, before.revision)) ? { state, revision: item.revision } : undefined;
}

function queueStateItem(queue: WorkQueue, state: WorkQueueState): RevisedItem {
  const { sweepAt } = state;
  return {
    ...queueStateKey(queue),
    type: 'work-queue',
    ...state,
    ...(sweepAt !== undefined && placeOf(queue, sweepAt)),
    revision: newRevision(),
  };
}

const placeOf = ({ account, name }: WorkQueue, at: string) =>
  dueAcrossAccountsKey({ account, noun: workQueueNoun, id: name, at });

/** The write that marks a work queue as due now. `asked`: a user requested the attempt, so it ignores pauses. */
export function markDueUnread(queue: WorkQueue, now: Date, asked = false): TransactItem {
  const sweepAt = nextSweep(now);
  return reviseUnconditionally(queueStateKey(queue), {
    type: 'work-queue',
    wanted: true,
    due: now.toISOString(),
    sweepAt,
    ...(asked && { asked }),
    ...placeOf(queue, sweepAt),
  });
}

/** Postpones the next sweep of a work queue. Returns undefined if the sweep time has changed in the meantime. */
export async function postponeSweep(
  queue: WorkQueue,
  { at }: Due,
  now: Date,
): Promise<WorkQueueState | undefined> {
  const sweepAt = nextSweep(now);
  const item = await setRevised(
    queueStateKey(queue),
    { sweepAt, ...placeOf(queue, sweepAt) },
    { attribute: 'sweepAt', was: at },
  );
  return item && queueStateIn(item).state;
}
