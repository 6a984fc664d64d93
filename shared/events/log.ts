import type { AccountId } from '../id/account-id.ts';
import { firstIdAt, mintedAt } from '../id/mint.ts';
import { isExpired, recordOf } from '../table/item.ts';
import { queryList } from '../table/list-query.ts';
import { type Bounds, type QueryResult, queryItems, queryWithin } from '../table/read.ts';
import { readTotals } from '../table/totals.ts';
import type { Event } from './envelope.ts';
import { eventKey, eventPartition } from './keys.ts';
import type { LoggedEvent } from './schema.ts';

/** Events are kept for at least this number of days. */
const keptDays = 400;

/** Captured bodies are kept for this number of days. */
export const bodyDays = 14;

/** Returns the month in which an event is counted, such as `2026-03`. */
export const monthOf = (instant: string): string => instant.slice(0, 7);

/**
 * Returns when the events of a month expire: 400 days after its end. After this time, `total` omits the
 * month's counter.
 */
export function eventExpiry(month: string): Date {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 0, 1) + keptDays * 86_400_000);
}

export const monthCounter = (month: string): string => `EVENT ${month}`;

/** The time in an event's id is at most this many milliseconds earlier than `occurredAt`. */
const slack = 60_000;

/** Reports whether the log contains all events since an instant (ISO 8601). */
export const isInLog = (instant: string, now: Date): boolean =>
  Date.parse(instant) - slack > now.getTime() - keptDays * 86_400_000;

/**
 * Returns the events with ids above `after`, by ascending id. If `after` is omitted, starts at `since` (ISO
 * 8601) minus `slack`.
 */
export async function eventsFrom(
  account: AccountId,
  { after, since, limit }: { after?: number; since: string; limit: number },
): Promise<Event[]> {
  const first = after ?? firstIdAt(new Date(Date.parse(since) - slack));
  const from = eventKey(account, first + 1).sk;
  const items = await queryItems({
    partition: eventPartition(account),
    sortKey: { from, to: '~' },
    limit,
  });
  return items.map((item) => recordOf<Event>(item));
}

/** Returns the newest events, newest first: those with ids below `before`, if it is given. */
export async function latestEvents(
  account: AccountId,
  { before, limit }: { before?: number; limit: number },
): Promise<Event[]> {
  const to = before === undefined ? '~' : eventKey(account, before - 1).sk;
  const items = await queryItems({
    partition: eventPartition(account),
    sortKey: { from: ' ', to },
    newestFirst: true,
    limit,
  });
  return items.map((item) => recordOf<Event>(item));
}

/** Returns an instant (ISO 8601). All events that occurred later have ids from `id`. */
export const certainSince = (id: number): string => new Date(mintedAt(id).getTime() + slack).toISOString();

/** The account's log as a list. Expired events are omitted. */
export const eventLog = (account: AccountId, now: Date) => ({
  newest: (bounds: Bounds): Promise<QueryResult<LoggedEvent>> =>
    queryList(queryWithin, { partition: eventPartition(account) }, bounds, (item) =>
      isExpired(item, now) ? undefined : showEvent(recordOf<Event>(item), now),
    ),

  async total(): Promise<number> {
    const totals = await readTotals(account);
    const months = [...totals].filter(([of]) => of.startsWith(monthCounter('')));
    const kept = months.filter(([of]) => eventExpiry(of.slice(monthCounter('').length)) > now);
    return kept.reduce((sum, [, count]) => sum + count, 0);
  },

  show: async (page: LoggedEvent[]) => page,
});

/**
 * Returns an event as the log shows it. The reference to captured bodies becomes two flags, without a further read, because
 * bodies expire a fixed time after their event.
 */
function showEvent({ bodies, ...event }: Event, now: Date): LoggedEvent {
  const isKept = bodies !== undefined && now.getTime() < Date.parse(event.occurredAt) + bodyDays * 86_400_000;
  return {
    ...event,
    ...(isKept && bodies.request && { hasRequestBody: true }),
    ...(isKept && bodies.response && { hasResponseBody: true }),
  };
}
