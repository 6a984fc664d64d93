import { commit } from '../events/outbox.ts';
import { deleteItem, putItem, type Write } from '../table/operations.ts';
import { newRevision, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import type { Backlog } from './backlog.ts';
import { type Attempt, attemptsKept, type Entry, entryItem, type Pointer, pointerItem } from './entry.ts';
import { openEntryKey } from './keys.ts';
import type { Verdict } from './work.ts';

/** An attempt that is over. */
interface Attempted<C> {
  pointer: Pointer;
  /** The entry as it was attempted. */
  entry: Entry<C>;
  verdict: Verdict<C>;
  /** When it began. */
  at: Date;
  now: Date;
  deadline: number;
}

/**
 * Writes down what came of an attempt. Where somebody changed the entry meanwhile nothing is written: it is read again. What is
 * over takes two writes, the entry first, because a pointer to what is over does no harm. What comes again is a transaction,
 * so that an entry that waits always has its pointer.
 */
export async function recordAttempt<C>(backlog: Backlog, attempted: Attempted<C>): Promise<void> {
  const { pointer, entry, verdict, now } = attempted;
  const after: Entry = { ...entry, attempts: attemptsAfter(attempted), revision: newRevision() };
  if (pointer.once) return recordOnce(backlog, attempted, after);
  if ('status' in verdict) {
    const { due: _, ...rest } = after;
    const over = entryItem(backlog, { ...rest, status: verdict.status });
    const writes = 'writes' in verdict ? (verdict.writes ?? []) : [];
    if (writes.length > 0)
      return unlessChanged(attempted, [revisedPut(over, entry.revision), deleteItem(pointer.key), ...writes]);
    if (await putRevised(over, entry.revision)) await removeRevised(pointer.key, pointer.revision);
    return;
  }
  if ('content' in verdict && verdict.again <= now) {
    await putRevised(entryItem(backlog, { ...after, content: verdict.content }), entry.revision);
    return;
  }
  // Never at the same instant: the new pointer would be the old one.
  const due = new Date(Math.max(verdict.again.getTime(), Date.parse(pointer.due) + 1)).toISOString();
  const again = { ...after, due, ...('content' in verdict && { content: verdict.content }) };
  await unlessChanged(attempted, [
    revisedPut(entryItem(backlog, again), entry.revision),
    putItem(pointerItem(backlog, entry, due, now)),
    deleteItem(pointer.key),
  ]);
}

/** One attempt beside the schedule: a delivery ends the schedule, and anything else leaves it as it is. */
async function recordOnce<C>(backlog: Backlog, attempted: Attempted<C>, after: Entry): Promise<void> {
  const { pointer, entry, verdict } = attempted;
  const delivered = 'status' in verdict && verdict.status === 'delivered';
  const { due, ...rest } = after;
  const scheduled =
    delivered && due !== undefined
      ? openEntryKey(backlog.account, backlog.name, { due, id: entry.id })
      : undefined;
  await unlessChanged(attempted, [
    revisedPut(entryItem(backlog, delivered ? { ...rest, status: 'delivered' } : after), entry.revision),
    deleteItem(pointer.key),
    ...(scheduled ? [deleteItem(scheduled)] : []),
  ]);
}

function attemptsAfter<C>({ pointer, entry, verdict, at }: Attempted<C>): Attempt[] {
  if (!('attempt' in verdict) || verdict.attempt === undefined) return entry.attempts;
  const attempt = {
    number: (entry.attempts.at(-1)?.number ?? 0) + 1,
    at: at.toISOString(),
    ...(pointer.once && { once: true as const }),
  };
  return attemptsKept([...entry.attempts, { ...verdict.attempt, ...attempt }]);
}

async function unlessChanged({ deadline }: { deadline: number }, writes: Write[]): Promise<void> {
  try {
    await commit({ writes, events: [], deadline });
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}
