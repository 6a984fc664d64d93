import type { Event } from '../events/envelope.ts';
import { asSeconds, type Item, isExpired, recordOf } from '../table/item.ts';
import { digits } from '../table/keys.ts';
import { newRevision, type RevisedItem } from '../table/revised-item.ts';
import type { WorkQueue } from './keys.ts';
import { pointerKey, readPointerKey, workItemKey } from './keys.ts';

/** One attempt, with the details that its handler recorded. */
export interface Attempt {
  /** The first attempt has number 1. */
  number: number;
  /** When the attempt started. */
  at: string;
  /** True if a user requested this attempt. It does not count toward the retry schedule. */
  once?: true;
  /** True for an attempt of the work item that this item replaced. It does not count toward the retry schedule. */
  earlier?: true;
  [detail: string]: unknown;
}

/** An item keeps at most this many unscheduled attempts, because users may request any number of attempts. */
const keptUnscheduled = 10;

/** Reports whether an attempt counts toward the retry schedule. */
export const isScheduled = ({ once, earlier }: Pick<Attempt, 'once' | 'earlier'>): boolean =>
  !once && !earlier;

export function keptAttempts(attempts: readonly Attempt[]): Attempt[] {
  const unscheduled = attempts.filter((attempt) => !isScheduled(attempt));
  const dropped = new Set(unscheduled.slice(0, Math.max(0, unscheduled.length - keptUnscheduled)));
  return attempts.filter((attempt) => !dropped.has(attempt));
}

/** A delivery, a message or a job. */
export interface WorkItem<C = unknown> {
  /** Unique in its work queue; text without `#`. Lists sort by id, largest first. */
  id: string;
  content: C;
  /** All times are ISO 8601 with milliseconds. */
  createdAt: string;
  /** The time of the next attempt; absent if no attempt follows. */
  due?: string;
  status: 'waiting' | 'delivered' | 'failed' | 'cancelled';
  attempts: Attempt[];
  /** When the item expires, regardless of its status. */
  expiresAt: string;
  revision: string;
}

/** The input for a new work item. */
export interface NewWorkItem<C = unknown> {
  id: string;
  /** The earliest time of the first attempt. Must be the same whenever the same item is enqueued. */
  due: Date;
  content: C;
  /** When the item expires, regardless of its status. */
  expires: Date;
  /** The attempts of the work item that the new work item replaces. */
  attempts?: readonly Attempt[];
}

/** Refers to an open work item. The key contains the due time, so that queries return pointers by due time. */
export interface Pointer {
  due: string;
  id: string;
  createdAt: string;
  openedAt: string;
  /** Set for one attempt outside the schedule. */
  once?: true;
  revision: string;
  key: { pk: string; sk: string };
}

export const newWorkItem = <C>(
  { id, due, content, expires, attempts = [] }: NewWorkItem<C>,
  now: Date,
): WorkItem<C> => ({
  id,
  content,
  createdAt: now.toISOString(),
  due: due.toISOString(),
  status: 'waiting',
  attempts: keptAttempts(attempts.map((attempt) => ({ ...attempt, earlier: true }))),
  expiresAt: expires.toISOString(),
  revision: newRevision(),
});

export const workItemRecord = (workQueue: WorkQueue, workItem: WorkItem): RevisedItem => {
  const { attempts, ...rest } = workItem;
  return {
    ...workItemKey(workQueue, workItem.id),
    type: 'work-item',
    expiresAtSeconds: asSeconds(new Date(workItem.expiresAt)),
    ...rest,
    ...(attempts.length > 0 && { attempts }),
  };
};

export function workItemIn<C>(item: Item | undefined, now: Date): WorkItem<C> | undefined {
  if (!item || isExpired(item, now)) return undefined;
  const { attempts = [], ...rest } = recordOf<Omit<WorkItem<C>, 'attempts'> & Partial<WorkItem<C>>>(item);
  return { ...rest, attempts };
}

export const pointerItem = (
  workQueue: WorkQueue,
  { id, createdAt, expiresAt }: Pick<WorkItem, 'id' | 'createdAt' | 'expiresAt'>,
  due: string,
  now: Date,
  once?: true,
): RevisedItem => ({
  ...pointerKey(workQueue, { due, id, ...(once && { once }) }),
  type: 'work-item-pointer',
  expiresAtSeconds: asSeconds(new Date(expiresAt)),
  createdAt,
  openedAt: now.toISOString(),
  revision: newRevision(),
});

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

/** The id of a work item about an event. Newer events have larger ids. */
export const workItemId = (eventId: number, ...more: (string | number | undefined)[]): string =>
  [digits(eventId), ...more.filter((part) => part !== undefined)].join('-');

/**
 * In days. Work items are kept longer than messages in dead-letter queues. When such a message is redriven, the work
 * items of its event therefore still exist, and are not created again.
 */
const keptDays = 30;
export const keptUntil = ({ occurredAt }: Pick<Event, 'occurredAt'>): Date =>
  new Date(Date.parse(occurredAt) + keptDays * 86_400_000);
