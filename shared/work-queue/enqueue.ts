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
 * Adds a work item from a consumer or a worker, and triggers its work queue. Idempotent by id; returns true if the item
 * is new. An interrupted caller must repeat the call, as every consumer does. Throws `busy` past the deadline.
 *
 * Writes the pointer first: a dangling pointer is harmless, but an item without a pointer would never be processed.
 * Marks the work queue as due last, because its worker may have read the pointers before this one was written.
 * Overwrites an existing pointer, so that it is not removed as dangling.
 */
export async function enqueue<C>(queue: WorkQueue, input: NewWorkItem<C>, run: Run): Promise<boolean> {
  const { now, deadline } = run;
  const workItem = newWorkItem(input, now);
  const pointer = pointerItem(queue, workItem, input.due.toISOString(), now);
  await overwrite(pointer);
  // Dangling pointers are removed some time after they were written, so the item must not be added too late.
  if (Date.now() >= deadline) throw busy();
  const isNew = await putRevised(workItemRecord(queue, workItem), undefined);
  if (isNew || (await isOpen(queue, input.id, now))) await markDue(queue, input.due, run);
  else await removeRevised(pointer, pointer.revision);
  return isNew;
}

/**
 * Adds a work item whose id is reused, and triggers its work queue. A final or expired item starts again. A waiting
 * item keeps its due time and gets a new revision: a concurrent attempt may have read the table before this call, so
 * its result is discarded and it is made again. Writes item and pointer in one transaction, because the pointer of a
 * final item would be removed before the item waits again. An interrupted caller must repeat the call. Throws `busy`
 * past the deadline.
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

/** Opens a work item in place of a final one. Returns false if another caller did so at the same time. */
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
 * Marks a work queue as due at a time: its current worker reads again, and a trigger message is sent if needed. If that
 * message is lost, the sweep triggers the work queue within 60 s.
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

/** The writes of an endpoint that mark a work queue as due now, and trigger it. */
export const markDueWrites = (queue: WorkQueue, now: Date): Write[] => [
  markDueUnread(queue, now),
  triggerWrite(queue, now),
];

/** The writes of an endpoint that add a work item. They fail with a conflict if the id is taken. */
export const enqueueWrites = <C>(queue: WorkQueue, input: NewWorkItem<C>, now: Date): Write[] =>
  openWrites(putIfAbsent, queue, input, now);

/** The writes that add a work item and replace any item with its id, of which an attempt may still be in flight. */
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
 * The writes that make one attempt of a work item at once, in any status, before all others and despite a pause. A
 * waiting item keeps its schedule. A final item stays final: only its status may become `delivered`.
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
