import { asAccountId } from '../id/account-id.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { transact } from '../table/transact.ts';
import type { Event } from './envelope.ts';
import { eventKey } from './keys.ts';
import { expiryOf, monthCounter, monthOf } from './log.ts';

interface Commit {
  writes: readonly Write[];
  /** Required even when empty, so that nobody leaves the events out by accident. */
  events: readonly Event[];
  /** Milliseconds since 1970 after which no further attempt starts. */
  deadline: number;
  /** How often the request was tried before; see `transact`. */
  attempts?: number;
  /** Which shards of totals it may count in. Left out: any. */
  shards?: readonly number[];
}

/** How a commit is tried. */
export type CommitOptions = Omit<Commit, 'writes' | 'events'>;

/**
 * Commits a change, its conditions and its events in one transaction. An event is an item of the table, which the
 * stream forwards, so that there is no change without its event and no event without its change. Throws what
 * `transact` throws.
 */
export const commit = ({ writes, events, deadline, attempts, shards }: Commit): Promise<void> =>
  transact([...writes, ...events.flatMap(eventWrites)], deadline, attempts, shards);

/** The writes that put an event into its account's log: the item that the stream forwards, and the month's counter. */
function eventWrites(event: Event): Write[] {
  const account = asAccountId(event.accountId);
  if (!account) throw new Error(`Event ${event.kind} names no account`);
  const expiresAtSeconds = asSeconds(expiryOf(monthOf(event.occurredAt)));
  // The item's own fields come last, so that no field of an event can stand in for them.
  const item = { ...event, ...eventKey(account, event.id), type: 'event', expiresAtSeconds };
  return [putIfAbsent(item), { account, of: monthCounter(monthOf(event.occurredAt)), amount: 1 }];
}
