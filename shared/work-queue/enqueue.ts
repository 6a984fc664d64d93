import { busy } from '../errors.ts';
import { commit } from '../events/outbox.ts';
import { type Item, recordOf } from '../table/item.ts';
import { putIfAbsent, putIfAbsentOrExpired, putItem, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { newRevision, overwrite, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import type { WorkQueue } from './keys.ts';
import { workItemKey } from './keys.ts';
import { sendTrigger, triggerWrite } from './send-trigger.ts';
import { type DueCause, markDueUnread, readWorkQueueState, writeWorkQueueState } from './store.ts';
import type { Run } from './work-handler.ts';
import {
  type NewWorkItem,
  newWorkItem,
  pointerItem,
  type WorkItem,
  workItemIn,
  workItemRecord,
} from './work-item.ts';
import { requestWork } from './work-queue-state.ts';

/**
 * For consumers and workers: adds a work item, and triggers its work queue. An existing item with the same id
 * is kept. Returns true if the item is new. Throws `busy` after the deadline. If a call is interrupted, the
 * caller must repeat it.
 *
 * Writes these items, in this order:
 * - The pointer. A pointer without an item is harmless, but an item without a pointer would never be
 *   processed. An existing pointer gets a new revision, so that a worker that found no item for the old
 *   pointer cannot remove the new one.
 * - The work item.
 * - The state of the work queue, marked as due. The current worker may have read the pointers before this
 *   call, so it reads them again.
 */
export async function enqueue<C>(workQueue: WorkQueue, input: NewWorkItem<C>, run: Run): Promise<boolean> {
  const { now, deadline } = run;
  const workItem = newWorkItem(input, now);
  const pointer = pointerItem(workQueue, workItem, input.due.toISOString(), now);
  await overwrite(pointer);
  // Workers remove dangling pointers after 15 minutes, so the item must be written soon after its pointer.
  if (Date.now() >= deadline) throw busy();
  const isNew = await putRevised(workItemRecord(workQueue, workItem), undefined);
  if (isNew || (await isOpen(workQueue, input.id, now))) await markDue(workQueue, input.due, run);
  else await removeRevised(pointer, pointer.revision);
  return isNew;
}

/**
 * Adds a work item whose id may already exist, and triggers its work queue. Throws `busy` after the deadline.
 * If a call is interrupted, the caller must repeat it.
 * - A final or expired item is restarted. Item and pointer are written in one transaction, because a worker
 *   removes pointers to final items.
 * - A waiting item keeps its due time and gets a new revision. An attempt in flight may have read older data.
 *   Because of the new revision, its worker discards the result and repeats the attempt.
 */
export async function enqueueAgain<C>(workQueue: WorkQueue, input: NewWorkItem<C>, run: Run): Promise<void> {
  for (;;) {
    const item = await getItem(workItemKey(workQueue, input.id));
    const waiting = workItemIn<C>(item, run.now);
    if (waiting?.due !== undefined) {
      const revised = { ...waiting, expiresAt: input.expires.toISOString(), revision: newRevision() };
      if (await putRevised(workItemRecord(workQueue, revised), waiting.revision))
        return markDue(workQueue, new Date(waiting.due), run);
    } else if (await restart(workQueue, input, item, run)) return markDue(workQueue, input.due, run);
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** Creates a work item or restarts a final or expired work item. Returns false if another write came first. */
async function restart<C>(
  workQueue: WorkQueue,
  input: NewWorkItem<C>,
  before: Item | undefined,
  { now, deadline }: Run,
): Promise<boolean> {
  const workItem = newWorkItem(input, now);
  const writes = [
    revisedPut(workItemRecord(workQueue, workItem), before && recordOf<WorkItem>(before).revision),
    putItem(pointerItem(workQueue, workItem, input.due.toISOString(), now)),
  ];
  try {
    await commit({ writes, events: [], deadline });
    return true;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return false;
  }
}

const isOpen = async (workQueue: WorkQueue, id: string, now: Date): Promise<boolean> =>
  workItemIn(await getItem(workItemKey(workQueue, id)), now)?.status === 'waiting';

/**
 * Marks a work queue as due at a time. A worker that holds the lease reads the pointers again. If no worker
 * holds the lease, sends a trigger message if needed. If the message is lost, the sweep triggers the work
 * queue within two minutes.
 */
export async function markDue(workQueue: WorkQueue, at: Date, { now, deadline }: Run): Promise<void> {
  for (;;) {
    const stored = await readWorkQueueState(workQueue);
    const { state, triggerIn } = requestWork(stored.state, at, now);
    if (state === stored.state || (await writeWorkQueueState(workQueue, state, stored))) {
      if (triggerIn !== undefined) await sendTrigger(workQueue, triggerIn);
      return;
    }
    if (Date.now() >= deadline) throw busy();
  }
}

/** For endpoints: the writes that mark a work queue as due now and trigger it. `cause` is as in `markDueUnread`. */
export const markDueWrites = (workQueue: WorkQueue, now: Date, cause: DueCause = {}): Write[] => [
  markDueUnread(workQueue, now, cause),
  triggerWrite(workQueue, now),
];

/** For endpoints: the writes that add a work item. They fail with a conflict if the id already exists. */
export const enqueueWrites = <C>(workQueue: WorkQueue, input: NewWorkItem<C>, now: Date): Write[] =>
  openWrites(putIfAbsent, workQueue, input, now);

/** Like `enqueueWrites`, but an expired item with the same id is replaced. */
export const enqueueUnlessKnownWrites = <C>(
  workQueue: WorkQueue,
  input: NewWorkItem<C>,
  now: Date,
): Write[] => openWrites((item) => putIfAbsentOrExpired(item, now), workQueue, input, now);

/** The writes that add a work item. They replace any item with the same id, even during an attempt. */
export const replaceWrites = <C>(workQueue: WorkQueue, input: NewWorkItem<C>, now: Date): Write[] =>
  openWrites(putItem, workQueue, input, now);

/** Like `enqueueWrites`, for several work items. Empty for none. */
export const enqueueAllWrites = <C>(
  workQueue: WorkQueue,
  inputs: readonly NewWorkItem<C>[],
  now: Date,
): Write[] =>
  inputs.length === 0
    ? []
    : [
        ...inputs.flatMap((input) => itemWrites(putIfAbsent, workQueue, input, now)),
        ...markDueWrites(workQueue, now),
      ];

const openWrites = <C>(
  put: (item: Item) => Write,
  workQueue: WorkQueue,
  input: NewWorkItem<C>,
  now: Date,
): Write[] => [...itemWrites(put, workQueue, input, now), ...markDueWrites(workQueue, now)];

/** The writes of a work item and its pointer. */
function itemWrites<C>(
  put: (item: Item) => Write,
  workQueue: WorkQueue,
  input: NewWorkItem<C>,
  now: Date,
): Write[] {
  const workItem = newWorkItem(input, now);
  return [
    put(workItemRecord(workQueue, workItem)),
    putItem(pointerItem(workQueue, workItem, input.due.toISOString(), now)),
  ];
}

/**
 * The writes that request one immediate attempt of a work item, in any status. This attempt ignores pauses and starts
 * before other attempts. A waiting item keeps its schedule. A final item keeps its status or becomes `delivered`.
 */
export const attemptOnceWrites = (
  workQueue: WorkQueue,
  workItem: Pick<WorkItem, 'id' | 'createdAt' | 'expiresAt'>,
  now: Date,
): Write[] => [
  putItem(pointerItem(workQueue, workItem, now.toISOString(), now, true)),
  ...markDueWrites(workQueue, now, { asked: true }),
];
