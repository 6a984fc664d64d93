import { mintedAt } from '../../id/mint.ts';

/**
 * Where a notification is. Its position was minted when it arrived, orders every list and never changes. `filedAt` is the
 * position under which it stands among the unread: its own, or, where it was marked unread again after all had been marked
 * read, the first behind that mark. Left out: it was marked read by itself.
 */
export interface NotificationPlace {
  id: number;
  position: number;
  filedAt?: number;
}

/** What is known of an inbox as a whole: one small item. */
export interface InboxState {
  /** How often a count of the inbox has changed. */
  changes: number;
  /** Everything that was filed as unread up to this position has been marked read, by one write. */
  allReadUpTo: number;
  /** The highest position under which anything was filed. */
  filedUpTo: number;
  /** How many are unread, by the day on which they arrived. */
  unread: ReadonlyMap<number, number>;
}

/** A notification is kept for 90 days after the day on which it arrived, in UTC. */
const keptDays = 90;
const day = 86_400_000;

/** The day of an instant, counted from the one on which the first id can have been minted: it makes short names. */
const dayOf = (instant: Date): number => Math.floor((instant.getTime() - mintedAt(0).getTime()) / day);

/** The day on which what has this position arrived. */
export const dayOfArrival = (position: number): number => dayOf(mintedAt(position));

/** When all that arrived on a day expires, at once. */
export const expiryOf = (arrival: number): Date =>
  new Date(mintedAt(0).getTime() + (arrival + keptDays + 1) * day);

/** Whether what arrived on a day is there still. */
export const isKept = (arrival: number, now: Date): boolean => expiryOf(arrival) > now;

/** An inbox item outlives its last notification by a week: what it says of what is read must not go before that. */
export const forgottenAt = (arrival: number): Date => new Date(expiryOf(arrival).getTime() + 7 * day);

/** The days before, as far back as an inbox item may still have counts of: nobody removes them when they expire. */
export const expiredDaysAt = (now: Date): number[] =>
  daysBetween(dayOf(now) - 2 * keptDays - 30, dayOf(now) - keptDays - 1);

const daysBetween = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n).filter((one) => one >= 0);

/** Whether a notification is unread: filed as such after all was last marked read. */
export const isUnread = (
  { filedAt }: NotificationPlace,
  { allReadUpTo }: Pick<InboxState, 'allReadUpTo'>,
): boolean => filedAt !== undefined && filedAt > allReadUpTo;

/** Where a notification stands once it is marked read, or unread again: in its place, behind the last mark of all. */
export const markedPlace = (
  { id, position }: NotificationPlace,
  read: boolean,
  { allReadUpTo }: Pick<InboxState, 'allReadUpTo'>,
): NotificationPlace =>
  read ? { id, position } : { id, position, filedAt: Math.max(position, allReadUpTo + 1) };

/** How many are unread, without those that have expired. */
export const unreadCount = ({ unread }: Pick<InboxState, 'unread'>, now: Date): number =>
  [...unread].reduce((sum, [arrival, count]) => sum + (isKept(arrival, now) ? count : 0), 0);
