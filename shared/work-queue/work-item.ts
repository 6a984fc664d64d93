import { asSeconds, type Item, isExpired, recordOf } from '../table/item.ts';
import { newRevision, type RevisedItem } from '../table/revised-item.ts';
import { pointerKey, readPointerKey, workItemKey } from './keys.ts';
import type { WorkQueue } from './work-queue.ts';

const entryStatuses = ['waiting', 'delivered', 'failed', 'cancelled'] as const;
type EntryStatus = (typeof entryStatuses)[number];

/** One attempt, with what its work says of it. */
export interface Attempt {
  /** From 1. */
  number: number;
  /** When it began. */
  at: string;
  /** Somebody asked for this one; it is no part of the schedule. */
  once?: true;
  /** Of the work item that this one took the place of; it is no part of the schedule either. */
  earlier?: true;
  [detail: string]: unknown;
}

/** So many attempts beside the schedule stay on record, the newest: somebody may ask for another one again and again. */
const mostBeside = 10;

/** Whether an attempt is one of the schedule. */
export const isScheduled = ({ once, earlier }: Pick<Attempt, 'once' | 'earlier'>): boolean =>
  !once && !earlier;

/** The attempts that stay on record. */
export function attemptsKept(attempts: readonly Attempt[]): Attempt[] {
  const beside = attempts.filter((attempt) => !isScheduled(attempt));
  const forgotten = new Set(beside.slice(0, Math.max(0, beside.length - mostBeside)));
  return attempts.filter((attempt) => !forgotten.has(attempt));
}

/** Something that is to leave the service, or a step of long work. */
export interface WorkItem<C = unknown> {
  /** Unique in its work queue; text without `#`. Lists show work items by it, the largest first. */
  id: string;
  content: C;
  /** All instants are ISO 8601 with milliseconds. */
  createdAt: string;
  /** The next attempt; left out: it is over. */
  due?: string;
  status: EntryStatus;
  attempts: Attempt[];
  /** The end of it, whatever its status. */
  expiresAt: string;
  revision: string;
}

/** What a work item is opened with. */
export interface NewWorkItem<C = unknown> {
  id: string;
  /** The first attempt is not before it. It follows from what is opened alone, so that a repeat says the same. */
  due: Date;
  content: C;
  /** When it goes, whatever its status. */
  expires: Date;
  /** Those of the work item that it takes the place of. */
  attempts?: readonly Attempt[];
}

/** Says that a work item is open, at the instant in its key. */
export interface Pointer {
  due: string;
  id: string;
  /** When the work item was opened. */
  createdAt: string;
  /** When the pointer was written. */
  openedAt: string;
  /** For one attempt beside the schedule. */
  once?: true;
  revision: string;
  key: { pk: string; sk: string };
}

/** A work item as it is opened. */
export const newWorkItem = <C>(
  { id, due, content, expires, attempts = [] }: NewWorkItem<C>,
  now: Date,
): WorkItem<C> => ({
  id,
  content,
  createdAt: now.toISOString(),
  due: due.toISOString(),
  status: 'waiting',
  attempts: attemptsKept(attempts.map((attempt) => ({ ...attempt, earlier: true }))),
  expiresAt: expires.toISOString(),
  revision: newRevision(),
});

export const workItemRecord = ({ account, name }: WorkQueue, workItem: WorkItem): RevisedItem => {
  const { attempts, ...rest } = workItem;
  return {
    ...workItemKey(account, name, workItem.id),
    type: 'backlog-entry',
    expiresAtSeconds: asSeconds(new Date(workItem.expiresAt)),
    ...rest,
    ...(attempts.length > 0 && { attempts }),
  };
};

/** The work item in an item; undefined where there is none, or one that has expired. */
export function workItemIn<C>(item: Item | undefined, now: Date): WorkItem<C> | undefined {
  if (!item || isExpired(item, now)) return undefined;
  const { attempts = [], ...rest } = recordOf<Omit<WorkItem<C>, 'attempts'> & Partial<WorkItem<C>>>(item);
  return { ...rest, attempts };
}

/** A pointer expires with what it points to. */
export const pointerItem = (
  { account, name }: WorkQueue,
  { id, createdAt, expiresAt }: Pick<WorkItem, 'id' | 'createdAt' | 'expiresAt'>,
  due: string,
  now: Date,
  once?: true,
): RevisedItem => ({
  ...pointerKey(account, name, { due, id, ...(once && { once }) }),
  type: 'backlog-pointer',
  expiresAtSeconds: asSeconds(new Date(expiresAt)),
  createdAt,
  openedAt: now.toISOString(),
  revision: newRevision(),
});

/** The pointer that an item is; undefined for any other item. */
export function pointerIn(item: Item): Pointer | undefined {
  const named = readPointerKey(item.sk);
  const { pk, sk } = item;
  return (
    named && {
      ...recordOf<Pick<Pointer, 'createdAt' | 'openedAt' | 'revision'>>(item),
      ...named,
      key: { pk, sk },
    }
  );
}
