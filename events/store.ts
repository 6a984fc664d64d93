import { type AccountId, asAccountId } from '../shared/accounts/account-id.ts';
import { asSeconds, isExpired, recordOf } from '../shared/table/item.ts';
import { eventKey, eventPartition } from '../shared/table/keys.ts';
import { type Bounds, type Found, queryWithin } from '../shared/table/read.ts';
import { readTotals } from '../shared/table/totals.ts';
import { putNew, type Write } from '../shared/table/write.ts';
import type { Event } from './event.ts';
import type { LoggedEvent } from './logged-event.ts';

/** At least this long an event stays in the log. */
const keptDays = 400;

/** The month an event is counted under, such as `2026-03`. */
export const monthOf = (instant: string): string => instant.slice(0, 7);

/**
 * When the events of a month go: 400 days after its end, all at once, so that the month's counters can go with
 * them and totals stay exact.
 */
export function expiryOf(month: string): Date {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 0, 1) + keptDays * 86_400_000);
}

/** What a month's events are counted as. */
export const tallyOf = (month: string): string => `EVENT ${month}`;

/** What puts an event into its account's log: the item the stream forwards, and the month's total. */
export function eventWrites(event: Event): Write[] {
  const account = asAccountId(event.accountId);
  if (!account) throw new Error(`Event ${event.kind} names no account`);
  const expiresAtSeconds = asSeconds(expiryOf(monthOf(event.occurredAt)));
  return [
    putNew({ ...eventKey(account, event.id), type: 'event', expiresAtSeconds, ...event }),
    { account, of: tallyOf(monthOf(event.occurredAt)), amount: 1 },
  ];
}

/** An account's log as the source of a list; what has expired is gone, whether DynamoDB has removed it or not. */
export const eventLog = (account: AccountId, now: Date) => ({
  async newest(bounds: Bounds): Promise<Found<LoggedEvent>> {
    const { items, cut } = await queryWithin(
      { partition: eventPartition(account), newestFirst: true },
      bounds,
    );
    const kept = items.filter((item) => !isExpired(item, now));
    return { items: kept.map((item) => recordOf<LoggedEvent>(item)), cut };
  },

  async total(): Promise<number> {
    const totals = await readTotals(account);
    const months = [...totals].filter(([of]) => of.startsWith(tallyOf('')));
    const kept = months.filter(([of]) => expiryOf(of.slice(tallyOf('').length)) > now);
    return kept.reduce((sum, [, count]) => sum + count, 0);
  },
});
