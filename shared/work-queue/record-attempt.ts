import type { Event } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import { deleteItem, putItem, type Write } from '../table/operations.ts';
import { newRevision, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import type { WorkQueue } from './keys.ts';
import { pointerKey } from './keys.ts';
import type { AttemptResult } from './work-handler.ts';
import {
  type Attempt,
  keptAttempts,
  type Pointer,
  pointerItem,
  type WorkItem,
  workItemRecord,
} from './work-item.ts';

interface Attempted<C> {
  pointer: Pointer;
  workItem: WorkItem<C>;
  result: AttemptResult<C>;
  /** When the attempt started. */
  at: Date;
  now: Date;
  deadline: number;
}

/**
 * Records the result of an attempt. If the work item changed in the meantime, the result is discarded and the item is
 * read again. A final result without `writes` needs no transaction, because the pointer is removed last. If the process
 * stops before that, a pointer to a final item remains, which is harmless. A retry is written in one transaction, so
 * that a waiting item always has its pointer.
 */
export async function recordAttempt<C>(workQueue: WorkQueue, attempted: Attempted<C>): Promise<void> {
  const { pointer, workItem, result, now } = attempted;
  const after: WorkItem = { ...workItem, attempts: attemptsAfter(attempted), revision: newRevision() };
  if (pointer.once) return recordOnce(workQueue, attempted, after);
  if ('status' in result) {
    const { due: _, ...rest } = after;
    const { status, content = rest.content } = 'content' in result ? result : { status: result.status };
    const final = workItemRecord(workQueue, { ...rest, status, content });
    const writes = 'writes' in result ? (result.writes ?? []) : [];
    const events = 'events' in result ? (result.events ?? []) : [];
    if (writes.length + events.length > 0)
      return unlessChanged(
        attempted,
        [revisedPut(final, workItem.revision), deleteItem(pointer.key), ...writes],
        events,
      );
    if (await putRevised(final, workItem.revision)) await removeRevised(pointer.key, pointer.revision);
    return;
  }
  if ('content' in result && result.again <= now) {
    await putRevised(workItemRecord(workQueue, { ...after, content: result.content }), workItem.revision);
    return;
  }
  // The due time must change. Otherwise, the new pointer would have the key of the old pointer, which is deleted.
  const due = new Date(Math.max(result.again.getTime(), Date.parse(pointer.due) + 1)).toISOString();
  const again = { ...after, due, ...('content' in result && { content: result.content }) };
  await unlessChanged(attempted, [
    revisedPut(workItemRecord(workQueue, again), workItem.revision),
    putItem(pointerItem(workQueue, workItem, due, now)),
    deleteItem(pointer.key),
  ]);
}

/** Records an attempt outside the schedule. The schedule ends only if this attempt delivered the item. */
async function recordOnce<C>(workQueue: WorkQueue, attempted: Attempted<C>, after: WorkItem): Promise<void> {
  const { pointer, workItem, result } = attempted;
  const delivered = 'status' in result && result.status === 'delivered';
  const { due, ...rest } = after;
  const scheduled =
    delivered && due !== undefined ? pointerKey(workQueue, { due, id: workItem.id }) : undefined;
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
  return keptAttempts([...workItem.attempts, { ...result.attempt, ...attempt }]);
}

async function unlessChanged(
  { deadline }: { deadline: number },
  writes: Write[],
  events: readonly Event[] = [],
): Promise<void> {
  try {
    await commit({ writes, events, deadline });
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}
