import { busy } from '../errors.ts';
import { commit } from '../events/outbox.ts';
import { type Item, recordOf } from '../table/item.ts';
import type { Write } from '../table/operations.ts';
import { putIfAbsent, putItem } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { newRevision, overwrite, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import { workItemKey } from './keys.ts';
import { requestWork } from './queue-state.ts';
import { sendTrigger, triggerWrite } from './send-trigger.ts';
import { markDueUnread, readQueueState, writeQueueState } from './store.ts';
import {
  type NewWorkItem,
  newWorkItem,
  pointerItem,
  type WorkItem,
  workItemIn,
  workItemRecord,
} from './work-item.ts';
import type { Run, WorkQueue } from './work-queue.ts';

/**
 * Opens a work item from a consumer or a worker, and calls whoever works the work queue. Idempotent by its id; true where it is
 * new. Whoever is interrupted has to repeat it, as every consumer does. Throws `busy` past the deadline.
 *
 * The pointer comes first: a pointer to nothing does no harm, and a work item without one would sleep for good. The work queue is
 * called last, because whoever works it may have read all pointers before this one was written. A pointer that is there is
 * written anew, so that nobody removes it as one to nothing.
 */
export async function enqueue<C>(workQueue: WorkQueue, workItem: NewWorkItem<C>, run: Run): Promise<boolean> {
  const { now, deadline } = run;
  const fresh = newWorkItem(workItem, now);
  const pointer = pointerItem(workQueue, fresh, workItem.due.toISOString(), now);
  await overwrite(pointer);
  // A pointer to nothing is removed some time after it was written, so that no work item may come that late.
  if (Date.now() >= deadline) throw busy();
  const isNew = await putRevised(workItemRecord(workQueue, fresh), undefined);
  if (isNew || (await isOpen(workQueue, workItem.id, now))) await markDue(workQueue, workItem.due, run);
  else await removeRevised(pointer, pointer.revision);
  return isNew;
}

/**
 * Opens a work item of an id that is opened again and again, and is open once. One that is over or has expired begins anew. One
 * that waits keeps its instant and gets a new revision: an attempt that is under way may have read the table before this
 * call, so what came of it is not recorded, and it is made again. Either way the worker of the work queue is called. Work item and
 * pointer are one transaction: a pointer to what is over would be removed before it waits again. A caller that is
 * interrupted must repeat it. Throws `busy` past the deadline.
 */
export async function enqueueAgain<C>(
  workQueue: WorkQueue,
  workItem: NewWorkItem<C>,
  run: Run,
): Promise<void> {
  const { account, name } = workQueue;
  for (;;) {
    const item = await getItem(workItemKey(account, name, workItem.id));
    const waiting = workItemIn<C>(item, run.now);
    if (waiting?.due !== undefined) {
      const anew = { ...waiting, expiresAt: workItem.expires.toISOString(), revision: newRevision() };
      if (await putRevised(workItemRecord(workQueue, anew), waiting.revision))
        return markDue(workQueue, new Date(waiting.due), run);
    } else if (await isOpenedAnew(workQueue, workItem, item, run))
      return markDue(workQueue, workItem.due, run);
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** False where somebody else opened the work item at the same moment. */
async function isOpenedAnew<C>(
  workQueue: WorkQueue,
  workItem: NewWorkItem<C>,
  over: Item | undefined,
  { now, deadline }: Run,
): Promise<boolean> {
  const fresh = newWorkItem(workItem, now);
  const writes = [
    revisedPut(workItemRecord(workQueue, fresh), over && recordOf<WorkItem>(over).revision),
    putItem(pointerItem(workQueue, fresh, workItem.due.toISOString(), now)),
  ];
  try {
    await commit({ writes, events: [], deadline });
    return true;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return false;
  }
}

async function isOpen({ account, name }: WorkQueue, id: string, now: Date): Promise<boolean> {
  return workItemIn(await getItem(workItemKey(account, name, id)), now)?.status === 'waiting';
}

/**
 * Sees to it that a work queue is worked from this instant on: it is due by then, whoever works it now reads again, and a trigger message
 * is on its way. The sweep wakes it within 60 s of what is due, should that one be lost.
 */
export async function markDue(workQueue: WorkQueue, at: Date, { now, deadline }: Run): Promise<void> {
  for (;;) {
    const stored = await readQueueState(workQueue);
    const { state, triggerIn } = requestWork(stored.state, at, now);
    if (state === stored.state || (await writeQueueState(workQueue, state, stored))) {
      if (triggerIn !== undefined) await sendTrigger(workQueue, triggerIn);
      return;
    }
    if (Date.now() >= deadline) throw busy();
  }
}

/** The same from an endpoint, as a part of its transaction: there may be something to do at once. */
export const markDueWrites = (workQueue: WorkQueue, now: Date): Write[] => [
  markDueUnread(workQueue, now),
  triggerWrite(workQueue, now),
];

/** Opens a work item in an endpoint's transaction, which fails with a conflict where the id is taken. */
export function enqueueWrites<C>(workQueue: WorkQueue, workItem: NewWorkItem<C>, now: Date): Write[] {
  const fresh = newWorkItem(workItem, now);
  return [putIfAbsent(workItemRecord(workQueue, fresh)), ...pointedTo(workQueue, fresh, workItem.due, now)];
}

/** Opens a work item whatever there was by its id, which is given up; an attempt of that is under way at most once more. */
export function replaceWrites<C>(workQueue: WorkQueue, workItem: NewWorkItem<C>, now: Date): Write[] {
  const fresh = newWorkItem(workItem, now);
  return [putItem(workItemRecord(workQueue, fresh)), ...pointedTo(workQueue, fresh, workItem.due, now)];
}

/**
 * One attempt of a work item at once, whatever its status, before all others, and even while the work queue pauses. One that waits
 * keeps its schedule, and one that is over is not opened again: only its status may become `delivered`.
 */
export const attemptOnceWrites = (
  workQueue: WorkQueue,
  workItem: Pick<WorkItem, 'id' | 'createdAt' | 'expiresAt'>,
  now: Date,
): Write[] => [
  putItem(pointerItem(workQueue, workItem, now.toISOString(), now, true)),
  markDueUnread(workQueue, now, true),
  triggerWrite(workQueue, now),
];

const pointedTo = (workQueue: WorkQueue, workItem: WorkItem, due: Date, now: Date): Write[] => [
  putItem(pointerItem(workQueue, workItem, due.toISOString(), now)),
  ...markDueWrites(workQueue, now),
];
