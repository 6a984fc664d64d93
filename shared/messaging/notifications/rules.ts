import { mintedAt } from '../../id/mint.ts';

/**
 * The positions of a notification. Lists sort by `position`, an id that is created on arrival and never changes.
 * `filedAt` is the position in the unread list. If a notification is marked unread after "mark all read", `filedAt`
 * becomes at least `allReadUpTo + 1`. Without `filedAt`, the notification was individually marked read.
 */
export interface NotificationPlace {
  id: number;
  position: number;
  filedAt?: number;
}

export interface InboxState {
  changes: number;
  /** Everything in the unread list up to this position was marked read by "mark all read". */
  allReadUpTo: number;
  filedUpTo: number;
  /** The number of unread notifications by day of arrival. */
  unread: ReadonlyMap<number, number>;
}

/** A notification is kept for 90 days after the day of its arrival, in UTC. */
const keptDays = 90;
const day = 86_400_000;

/**
 * The number of days since the date of the first possible id. The number is part of an attribute name, which must be
 * short.
 */
const dayOf = (instant: Date): number => Math.floor((instant.getTime() - mintedAt(0).getTime()) / day);

export const dayOfArrival = (position: number): number => dayOf(mintedAt(position));

export const notificationExpiry = (arrival: number): Date =>
  new Date(mintedAt(0).getTime() + (arrival + keptDays + 1) * day);

const isKept = (arrival: number, now: Date): boolean => notificationExpiry(arrival) > now;

/** An inbox item records which notifications have been read, so it is kept a week longer than the last notification. */
export const inboxExpiry = (arrival: number): Date =>
  new Date(notificationExpiry(arrival).getTime() + 7 * day);

/**
 * The days whose notifications have expired, but whose counts an inbox item may still contain. Counts do not expire by
 * themselves.
 */
export const expiredDaysAt = (now: Date): number[] =>
  daysBetween(dayOf(now) - 2 * keptDays - 30, dayOf(now) - keptDays - 1);

const daysBetween = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n).filter((one) => one >= 0);

/** Reports whether a notification is in the unread list, after the position of the last "mark all read". */
export const isUnread = (
  { filedAt }: NotificationPlace,
  { allReadUpTo }: Pick<InboxState, 'allReadUpTo'>,
): boolean => filedAt !== undefined && filedAt > allReadUpTo;

export const markedPlace = (
  { id, position }: NotificationPlace,
  read: boolean,
  { allReadUpTo }: Pick<InboxState, 'allReadUpTo'>,
): NotificationPlace =>
  read ? { id, position } : { id, position, filedAt: Math.max(position, allReadUpTo + 1) };

export const unreadCount = ({ unread }: Pick<InboxState, 'unread'>, now: Date): number =>
  [...unread].reduce((sum, [arrival, count]) => sum + (isKept(arrival, now) ? count : 0), 0);
