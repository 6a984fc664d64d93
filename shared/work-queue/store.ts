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
import { stateAndPointerRange, workItemKey, workQueuePartition, workQueueStateKey } from './keys.ts';
import { type Pointer, pointerIn, type WorkItem, workItemIn } from './work-item.ts';
import { emptyState, nextSweep, type WorkQueueState } from './work-queue-state.ts';

export const workQueueNoun = 'WORKQUEUE';

/** The state of a work queue as it was read. `revision` is undefined if no state is stored yet. */
export interface StoredWorkQueueState {
  state: WorkQueueState;
  revision?: string;
}

const workQueueStateIn = (item: Item | undefined): StoredWorkQueueState => {
  if (!item) return { state: emptyState };
  const { revision, ...state } = recordOf<WorkQueueState & { revision: string }>(item);
  return { state: { ...emptyState, ...state }, revision };
};

export const readWorkQueueState = async (workQueue: WorkQueue): Promise<StoredWorkQueueState> =>
  workQueueStateIn(await getItem(workQueueStateKey(workQueue)));

/** Reads the state and the pointers with the earliest due times: at most `limit` items in total. */
export async function readPointers(
  workQueue: WorkQueue,
  limit: number,
): Promise<StoredWorkQueueState & { pointers: Pointer[] }> {
  const query = { partition: workQueuePartition(workQueue), sortKey: stateAndPointerRange, limit };
  const items = await queryItems(query);
  const pointers = items.map(pointerIn).filter((pointer) => pointer !== undefined);
  return { ...workQueueStateIn(items.find((item) => !pointerIn(item))), pointers };
}

export async function readWorkItems<C>(
  workQueue: WorkQueue,
  pointers: readonly Pointer[],
  now: Date,
): Promise<(WorkItem<C> | undefined)[]> {
  const items = await getItems(pointers.map(({ id }) => workItemKey(workQueue, id)));
  return items.map((item) => workItemIn<C>(item, now));
}

/** Writes a state. Returns undefined if the stored state has changed since it was read. */
export async function writeWorkQueueState(
  workQueue: WorkQueue,
  state: WorkQueueState,
  before: StoredWorkQueueState,
): Promise<StoredWorkQueueState | undefined> {
  const item = workQueueStateItem(workQueue, state);
  return (await putRevised(item, before.revision)) ? { state, revision: item.revision } : undefined;
}

function workQueueStateItem(workQueue: WorkQueue, state: WorkQueueState): RevisedItem {
  const { sweepAt } = state;
  return {
    ...workQueueStateKey(workQueue),
    type: 'work-queue',
    ...state,
    ...(sweepAt !== undefined && placeOf(workQueue, sweepAt)),
    revision: newRevision(),
  };
}

const placeOf = ({ account, name }: WorkQueue, at: string) =>
  dueAcrossAccountsKey({ account, noun: workQueueNoun, id: name, at });

/** The write that stops a work queue, because its account is closed. */
export const closeWorkQueue = (workQueue: WorkQueue): TransactItem =>
  reviseUnconditionally(workQueueStateKey(workQueue), { type: 'work-queue', closed: true });

/** Why a work queue is due now. */
export interface DueCause {
  /** A user requested the attempt, so it ignores pauses. */
  asked?: true;
  /** The account was reopened. */
  closed?: false;
  /** A user changed the receiver, so its pause and its failures end. */
  resumed?: true;
}

/** The write that marks a work queue as due now. */
export function markDueUnread(
  workQueue: WorkQueue,
  now: Date,
  { resumed, ...more }: DueCause = {},
): TransactItem {
  const sweepAt = nextSweep(now);
  return reviseUnconditionally(workQueueStateKey(workQueue), {
    type: 'work-queue',
    wanted: true,
    due: now.toISOString(),
    sweepAt,
    ...more,
    ...(resumed && { failures: 0, pausedUntil: now.toISOString() }),
    ...placeOf(workQueue, sweepAt),
  });
}

/** Postpones the next sweep of a work queue. Returns undefined if the sweep time has changed in the meantime. */
export async function postponeSweep(
  workQueue: WorkQueue,
  { at }: Due,
  now: Date,
): Promise<WorkQueueState | undefined> {
  const sweepAt = nextSweep(now);
  const item = await setRevised(
    workQueueStateKey(workQueue),
    { sweepAt, ...placeOf(workQueue, sweepAt) },
    { attribute: 'sweepAt', was: at },
  );
  return item && workQueueStateIn(item).state;
}
