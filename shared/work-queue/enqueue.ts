import { busy } from '../errors.ts';
import { commit } from '../events/outbox.ts';
import { type Item, recordOf } from '../table/item.ts';
import { putIfAbsent, putItem, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { newRevision, overwrite, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import type { WorkQueue } from './keys.ts';
import { workItemKey } from './keys.ts';
import { requestWork } from './queue-state.ts';
import { sendTrigger, triggerWrite } from './send-trigger.ts';
import { markDueUnread, readQueueState, writeQueueState } from './store.ts';
import type { Run } from './work-handler.ts';
import {
  type NewWorkItem,
  newWorkItem,
  pointerItem,
  type WorkItem,
  workItemIn,
  workItemRecord,
} from './work-item.ts';

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
export async function enqueue<C>(queue: WorkQueue, input: NewWorkItem<C>, run: Run): Promise<boolean> {
  const { now, deadline } = run;
  const workItem = newWorkItem(input, now);
  const pointer = pointerItem(queue, workItem, input.due.toISOString(), now);
  await overwrite(pointer);
  // Workers remove dangling pointers after 15 minutes, so the item must be written soon after its pointer.
  if (Date.now() >= deadline) throw busy();
  const isNew = await putRevised(workItemRecord(queue, workItem), undefined);
  if (isNew || (await isOpen(queue, input.id, now))) await markDue(queue, input.due, run);
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
export async function enqueueAgain<C>(queue: WorkQueue, input: NewWorkItem<C>, run: Run): Promise<void> {
  for (;;) {
    const item = await getItem(workItemKey(queue, input.id));
    const waiting = workItemIn<C>(item, run.now);
    if (waiting?.due !== undefined) {
      const revised = { ...waiting, expiresAt: input.expires.toISOString(), revision: newRevision() };
      if (await putRevised(workItemRecord(queue, revised), waiting.revision))
        return markDue(queue, new Date(waiting.due), run);
    } else if (await restart(queue, input, item, run)) return markDue(queue, input.due, run);
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** Creates a work item or restarts a final or expired work item. Returns false if another write came first. */
async function restart<C>(
  queue: WorkQueue,
  input: NewWorkItem<C>,
  before: Item | undefined,
  { now, deadline }: Run,
): Promise<boolean> {
  const workItem = newWorkItem(input, now);
  const writes = [
    revisedPut(workItemRecord(queue, workItem), before && recordOf<WorkItem>(before).revision),
    putItem(pointerItem(queue, workItem, input.due.toISOString(), now)),
  ];
  try {
    await commit({ writes, events: [], deadline });
    return true;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return false;
  }
}

const isOpen = async (queue: WorkQueue, id: string, now: Date): Promise<boolean> =>
  workItemIn(await getItem(workItemKey(queue, id)), now)?.status === 'waiting';

/**
 * Marks a work queue as due at a time. A worker that holds the lease reads the pointers again. If no worker
 * holds the lease, sends a trigger message if needed. If the message is lost, the sweep triggers the work
 * queue within two minutes.
 */
export async function markDue(queue: WorkQueue, at: Date, { now, deadline }: Run): Promise<void> {
  for (;;) {
    const stored = await readQueueState(queue);
    const { state, triggerIn } = requestWork(stored.state, at, now);
    if (state === stored.state || (await writeQueueState(queue, state, stored))) {
      if (triggerIn !== undefined) await sendTrigger(queue, triggerIn);
      return;
    }
    if (Date.now() >= deadline) throw busy();
  }
}

/** For endpoints: the writes that mark a work queue as due now and trigger it. */
export const markDueWrites = (queue: WorkQueue, now: Date): Write[] => [
  markDueUnread(queue, now),
  triggerWrite(queue, now),
];

/** For endpoints: the writes that add a work item. They fail with a conflict if the id already exists. */
export const enqueueWrites = <C>(queue: WorkQueue, input: NewWorkItem<C>, now: Date): Write[] =>
  openWrites(putIfAbsent, queue, input, now);

/** The writes that add a work item. They replace any item with the same id, even during an attempt. */
export const replaceWrites = <C>(queue: WorkQueue, input: NewWorkItem<C>, now: Date): Write[] =>
  openWrites(putItem, queue, input, now);

function openWrites<C>(
  put: typeof putItem | typeof putIfAbsent,
  queue: WorkQueue,
  input: NewWorkItem<C>,
  now: Date,
): Write[] {
  const workItem = newWorkItem(input, now);
  return [
    put(workItemRecord(queue, workItem)),
    putItem(pointerItem(queue, workItem, input.due.toISOString(), now)),
    ...markDueWrites(queue, now),
  ];
}

/**
 * The writes that request one immediate attempt of a work item, in any status. This attempt ignores pauses and starts
 * before other attempts. A waiting item keeps its schedule. A final item keeps its status or becomes `delivered`.
 */
export const attemptOnceWrites = (
  queue: WorkQueue,
  workItem: Pick<WorkItem, 'id' | 'createdAt' | 'expiresAt'>,
  now: Date,
): Write[] => [
  putItem(pointerItem(queue, workItem, now.toISOString(), now, true)),
  markDueUnread(queue, now, true),
  triggerWrite(queue, now),
];
