import { listedAccounts } from '../../shared/accounts/directory.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { eventPartition, eventRange } from '../../shared/events/keys.ts';
import { eventInItem } from '../../shared/events/read-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import { type Reading, readPage } from '../../shared/table/read.ts';

export interface LogSpan {
  from: Date;
  to: Date;
}

/**
 * A position in the logs of all accounts, which are read in the order of the account ids. The position is
 * directly after the event with the id `event`.
 */
export interface LogPlace {
  account: AccountId;
  event: number;
}

/** A page of events of one account, oldest first, and the position after the page. */
interface Logged {
  events: Event[];
  place: LogPlace;
}

/**
 * The longest time from the creation of an event's id to the arrival of the event in the stream, in
 * milliseconds.
 */
const margin = 30_000;
const pageSize = 100;

/**
 * Reads the events of a span, extended by 30 s at both ends, from the log of one account or of all accounts
 * in the directory. Events are ordered by account id and then by event id. Starts after the position `after`.
 */
export async function* loggedEvents(
  { from, to }: LogSpan,
  account?: AccountId,
  after?: LogPlace,
): AsyncGenerator<Logged> {
  const first = firstIdAt(new Date(from.getTime() - margin));
  const last = firstIdAt(new Date(to.getTime() + margin + 1)) - 1;
  for (const current of account ? [account] : await listedAccounts()) {
    if (after && current < after.account) continue;
    const start = current === after?.account ? Math.max(first, after.event + 1) : first;
    if (start <= last) yield* eventsOf(current, start, last);
  }
}

async function* eventsOf(account: AccountId, first: number, last: number): AsyncGenerator<Logged> {
  const reading: Reading = { partition: eventPartition(account), items: [], more: true };
  while (reading.more) {
    await readPage(reading, { sortKey: eventRange(first, last) }, pageSize);
    const events = reading.items.splice(0).flatMap((item) => eventInItem(item) ?? []);
    const end = events.at(-1);
    if (end) yield { events, place: { account, event: end.id } };
  }
}
