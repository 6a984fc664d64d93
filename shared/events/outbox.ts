import { asAccountId } from '../id/account-id.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { transact } from '../table/transact.ts';
import type { Event } from './envelope.ts';
import { eventKey } from './keys.ts';
import { eventExpiry, monthCounter, monthOf } from './log.ts';

interface Commit {
  writes: readonly Write[];
  /** A required field, so that callers cannot forget the events. */
  events: readonly Event[];
  /** In milliseconds since 1970. Nothing is retried after the deadline. */
  deadline: number;
  /** The number of earlier attempts; see `transact`. */
  attempts?: number;
  /** The counters of totals are split into shards. This commit writes only to these shards. Default: all. */
  shards?: readonly number[];
}

export type CommitOptions = Omit<Commit, 'writes' | 'events'>;

/**
 * Commits a change with its conditions and events in one transaction. Each event is stored as an item. The relay
 * reads these items from the table's stream, so that no event of a change is lost. Throws the errors of `transact`.
 */
export const commit = ({ writes, events, deadline, attempts, shards }: Commit): Promise<void> =>
  transact([...writes, ...events.flatMap(eventWrites)], deadline, attempts, shards);

/** Returns the writes of an event: its item in the account's log, and the increment of the month's counter. */
function eventWrites(event: Event): Write[] {
  const account = asAccountId(event.accountId);
  if (!account) throw new Error(`The event ${event.kind} has no account`);
  const expiresAtSeconds = asSeconds(eventExpiry(monthOf(event.occurredAt)));
  // Key and type come last, so that no field of an event can replace them.
  const item = { ...event, ...eventKey(account, event.id), type: 'event', expiresAtSeconds };
  return [putIfAbsent(item), { account, of: monthCounter(monthOf(event.occurredAt)), amount: 1 }];
}
