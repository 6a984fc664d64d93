import { busy } from '../errors.ts';
import { commit } from '../events/outbox.ts';
import { type Item, recordOf } from '../table/item.ts';
import type { Write } from '../table/operations.ts';
import { putIfAbsent, putItem } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { newRevision, overwrite, putRevised, removeRevised, revisedPut } from '../table/revised-item.ts';
import { VersionConflict } from '../table/transact.ts';
import type { Backlog, Run } from './backlog.ts';
import { type Entry, entryIn, entryItem, type NewEntry, newEntry, pointerItem } from './entry.ts';
import { called } from './head.ts';
import { backlogEntryKey } from './keys.ts';
import { calledBlindly, readHead, writeHead } from './store.ts';
import { backlogWoken, sendWakeUp } from './wake.ts';

/**
 * Opens an entry from a consumer or a worker, and calls whoever works the backlog. Idempotent by its id; true where it is
 * new. Whoever is interrupted has to repeat it, as every consumer does. Throws `busy` past the deadline.
 *
 * The pointer comes first: a pointer to nothing does no harm, and an entry without one would sleep for good. The backlog is
 * called last, because whoever works it may have read all pointers before this one was written. A pointer that is there is
 * written anew, so that nobody removes it as one to nothing.
 */
export async function openEntry<C>(backlog: Backlog, entry: NewEntry<C>, run: Run): Promise<boolean> {
  const { now, deadline } = run;
  const fresh = newEntry(entry, now);
  const pointer = pointerItem(backlog, fresh, entry.due.toISOString(), now);
  await overwrite(pointer);
  // A pointer to nothing is removed some time after it was written, so that no entry may come that late.
  if (Date.now() >= deadline) throw busy();
  const isNew = await putRevised(entryItem(backlog, fresh), undefined);
  if (isNew || (await isOpen(backlog, entry.id, now))) await callBacklog(backlog, entry.due, run);
  else await removeRevised(pointer, pointer.revision);
  return isNew;
}

/**
 * Opens an entry of an id that is opened again and again, and is open once. One that is over or has expired begins anew. One
 * that waits keeps its instant and gets a new revision: an attempt that is under way may have read the table before this
 * call, so what came of it is not recorded, and it is made again. Either way the worker of the backlog is called. Entry and
 * pointer are one transaction: a pointer to what is over would be removed before it waits again. A caller that is
 * interrupted must repeat it. Throws `busy` past the deadline.
 */
export async function openAgain<C>(backlog: Backlog, entry: NewEntry<C>, run: Run): Promise<void> {
  const { account, name } = backlog;
  for (;;) {
    const item = await getItem(backlogEntryKey(account, name, entry.id));
    const waiting = entryIn<C>(item, run.now);
    if (waiting?.due !== undefined) {
      const anew = { ...waiting, expiresAt: entry.expires.toISOString(), revision: newRevision() };
      if (await putRevised(entryItem(backlog, anew), waiting.revision))
        return callBacklog(backlog, new Date(waiting.due), run);
    } else if (await isOpenedAnew(backlog, entry, item, run)) return callBacklog(backlog, entry.due, run);
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** False where somebody else opened the entry at the same moment. */
async function isOpenedAnew<C>(
  backlog: Backlog,
  entry: NewEntry<C>,
  over: Item | undefined,
  { now, deadline }: Run,
): Promise<boolean> {
  const fresh = newEntry(entry, now);
  const writes = [
    revisedPut(entryItem(backlog, fresh), over && recordOf<Entry>(over).revision),
    putItem(pointerItem(backlog, fresh, entry.due.toISOString(), now)),
  ];
  try {
    await commit({ writes, events: [], deadline });
    return true;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return false;
  }
}

async function isOpen({ account, name }: Backlog, id: string, now: Date): Promise<boolean> {
  return entryIn(await getItem(backlogEntryKey(account, name, id)), now)?.status === 'waiting';
}

/**
 * Sees to it that a backlog is worked from this instant on: it is due by then, whoever works it now reads again, and a wake-up
 * is on its way. The sweep wakes it within 60 s of what is due, should that one be lost.
 */
export async function callBacklog(backlog: Backlog, at: Date, { now, deadline }: Run): Promise<void> {
  for (;;) {
    const stored = await readHead(backlog);
    const { head, wakeIn } = called(stored.head, at, now);
    if (head === stored.head || (await writeHead(backlog, head, stored))) {
      if (wakeIn !== undefined) await sendWakeUp(backlog, wakeIn);
      return;
    }
    if (Date.now() >= deadline) throw busy();
  }
}

/** The same from an endpoint, as a part of its transaction: there may be something to do at once. */
export const backlogCalled = (backlog: Backlog, now: Date): Write[] => [
  calledBlindly(backlog, now),
  backlogWoken(backlog, now),
];

/** Opens an entry in an endpoint's transaction, which fails with a conflict where the id is taken. */
export function entryOpened<C>(backlog: Backlog, entry: NewEntry<C>, now: Date): Write[] {
  const fresh = newEntry(entry, now);
  return [putIfAbsent(entryItem(backlog, fresh)), ...pointedTo(backlog, fresh, entry.due, now)];
}

/** Opens an entry whatever there was by its id, which is given up; an attempt of that is under way at most once more. */
export function entryOpenedAnew<C>(backlog: Backlog, entry: NewEntry<C>, now: Date): Write[] {
  const fresh = newEntry(entry, now);
  return [putItem(entryItem(backlog, fresh)), ...pointedTo(backlog, fresh, entry.due, now)];
}

/**
 * One attempt of an entry at once, whatever its status, before all others, and even while the backlog pauses. One that waits
 * keeps its schedule, and one that is over is not opened again: only its status may become `delivered`.
 */
export const attemptedOnce = (
  backlog: Backlog,
  entry: Pick<Entry, 'id' | 'createdAt' | 'expiresAt'>,
  now: Date,
): Write[] => [
  putItem(pointerItem(backlog, entry, now.toISOString(), now, true)),
  calledBlindly(backlog, now, true),
  backlogWoken(backlog, now),
];

const pointedTo = (backlog: Backlog, entry: Entry, due: Date, now: Date): Write[] => [
  putItem(pointerItem(backlog, entry, due.toISOString(), now)),
  ...backlogCalled(backlog, now),
];
