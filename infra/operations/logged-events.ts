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

/** How far a reading of the logs has come: everything of earlier accounts, and of this one up to this event. */
export interface LogPlace {
  account: AccountId;
  event: number;
}

/** Some events of one account, oldest first, and where they end. */
export interface Logged {
  events: Event[];
  place: LogPlace;
}

/** An event is minted when it is decided and in the stream when it is committed: so many milliseconds apart at most. */
const widened = 30_000;
const pageSize = 100;

/**
 * The events of a span, 30 s wider at both ends, from the logs of one account or of all in the directory: accounts by id,
 * each from its oldest event on, page by page. `after`: what lies before that place is left out. Throws where the
 * directory is empty.
 */
export async function* loggedEvents(
  { from, to }: LogSpan,
  account?: AccountId,
  after?: LogPlace,
): AsyncGenerator<Logged> {
  const first = firstIdAt(new Date(from.getTime() - widened));
  const last = firstIdAt(new Date(to.getTime() + widened + 1)) - 1;
  for (const current of account ? [account] : await everyAccount()) {
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

async function everyAccount(): Promise<AccountId[]> {
  const accounts = await listedAccounts();
  if (accounts.length === 0)
    throw new Error('No account is in the directory: npm run directory:build writes it, once for a table.');
  return accounts;
}
