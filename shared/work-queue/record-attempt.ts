import { commit } from '../events/outbox.ts';
import { deleteItem, putItem, type Write } from '../table/operations.ts';
import { newRevision, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import { pointerKey } from './keys.ts';
import type { AttemptResult } from './work-handler.ts';
import {
  type Attempt,
  attemptsKept,
  type Pointer,
  pointerItem,
  type WorkItem,
  workItemRecord,
} from './work-item.ts';
import type { WorkQueue } from './work-queue.ts';

/** An attempt that is over. */
interface Attempted<C> {
  pointer: Pointer;
  /** The work item as it was attempted. */
  workItem: WorkItem<C>;
  result: AttemptResult<C>;
  /** When it began. */
  at: Date;
  now: Date;
  deadline: number;
}

/**
 * Writes down what came of an attempt. Where somebody changed the work item meanwhile nothing is written: it is read again. What is
 * over takes two writes, the work item first, because a pointer to what is over does no harm. What comes again is a transaction,
 * so that a work item that waits always has its pointer.
 */
export async function recordAttempt<C>(workQueue: WorkQueue, attempted: Attempted<C>): Promise<void> {
  const { pointer, workItem, result, now } = attempted;
  const after: WorkItem = { ...workItem, attempts: attemptsAfter(attempted), revision: newRevision() };
  if (pointer.once) return recordOnce(workQueue, attempted, after);
  if ('status' in result) {
    const { due: _, ...rest } = after;
    const over = workItemRecord(workQueue, { ...rest, status: result.status });
    const writes = 'writes' in result ? (result.writes ?? []) : [];
    if (writes.length > 0)
      return unlessChanged(attempted, [
        revisedPut(over, workItem.revision),
        deleteItem(pointer.key),
        ...writes,
      ]);
    if (await putRevised(over, workItem.revision)) await removeRevised(pointer.key, pointer.revision);
    return;
  }
  if ('content' in result && result.again <= now) {
    await putRevised(workItemRecord(workQueue, { ...after, content: result.content }), workItem.revision);
    return;
  }
  // Never at the same instant: the new pointer would be the old one.
  const due = new Date(Math.max(result.again.getTime(), Date.parse(pointer.due) + 1)).toISOString();
  const again = { ...after, due, ...('content' in result && { content: result.content }) };
  await unlessChanged(attempted, [
    revisedPut(workItemRecord(workQueue, again), workItem.revision),
    putItem(pointerItem(workQueue, workItem, due, now)),
    deleteItem(pointer.key),
  ]);
}

/** One attempt beside the schedule: a delivery ends the schedule, and anything else leaves it as it is. */
async function recordOnce<C>(workQueue: WorkQueue, attempted: Attempted<C>, after: WorkItem): Promise<void> {
  const { pointer, workItem, result } = attempted;
  const delivered = 'status' in result && result.status === 'delivered';
  const { due, ...rest } = after;
  const scheduled =
    delivered && due !== undefined
      ? pointerKey(workQueue.account, workQueue.name, { due, id: workItem.id })
      : undefined;
  await unlessChanged(attempted, [
    revisedPut(
      workItemRecord(workQueue, delivered ? { ...rest, status: 'delivered' } : after),
      workItem.revision,
    ),
    deleteItem(pointer.key),
    ...(scheduled ? [deleteItem(scheduled)] : []),
  ]);
}

function attemptsAfter<C>({ pointer, workItem, result, at }: Attempted<C>): Attempt[] {
  if (!('attempt' in result) || result.attempt === undefined) return workItem.attempts;
  const attempt = {
    number: (workItem.attempts.at(-1)?.number ?? 0) + 1,
    at: at.toISOString(),
    ...(pointer.once && { once: true as const }),
  };
  return attemptsKept([...workItem.attempts, { ...result.attempt, ...attempt }]);
}

async function unlessChanged({ deadline }: { deadline: number }, writes: Write[]): Promise<void> {
  try {
    await commit({ writes, events: [], deadline });
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}
