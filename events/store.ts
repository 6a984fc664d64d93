import { eventKey, eventTotalKey } from '../shared/table/keys.ts';
import { asAccountId } from '../shared/accounts/account-id.ts';
import { asSeconds } from '../shared/table/item.ts';
import { addTo, putNew, type Write } from '../shared/table/write.ts';
import type { Event } from './event.ts';

/** At least this long an event stays in the log. */
const keptDays = 400;

/** The month an event is counted under, such as `2026-03`. */
export const monthOf = (instant: string): string => instant.slice(0, 7);

/**
 * Events go by whole months, so that the month's counters go with them: an event expires at the end of the month
 * in which its 400 days are over.
 */
export function expiryOf(occurredAt: string): Date {
  const last = new Date(Date.parse(occurredAt) + keptDays * 86_400_000);
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1));
}

/** What puts an event into its account's log: the item the stream forwards, and the month's total. */
export function eventWrites(event: Event): Write[] {
  const account = asAccountId(event.accountId);
  if (!account) throw new Error(`Event ${event.kind} names no account`);
  const expiresAtSeconds = asSeconds(expiryOf(event.occurredAt));
  return [
    putNew({ ...eventKey(account, event.id), type: 'event', expiresAtSeconds, ...event }),
    addTo(eventTotalKey(account, monthOf(event.occurredAt), event.id), 1),
  ];
}
