import { createHash } from 'node:crypto';
import { messagesOfEvent, type Outgoing } from '../../events/outgoing.ts';
import type { EventKind } from '../../shared/events/kinds.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { type Key, partitionAcrossAccounts } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { type LogPlace, type LogSpan, loggedEvents } from './logged-events.ts';
import { rateLimiter } from './rate-limiter.ts';
import { writeDeadline } from './scan-table.ts';

/** Which events are replayed, and to which queue. What is left out is all of it. */
interface ReplaySelection extends LogSpan {
  account?: AccountId;
  kind?: EventKind;
  queue?: QueueName;
}

interface ReplayOptions {
  /** Sends messages, or throws. */
  send: (messages: readonly Outgoing[]) => Promise<void>;
  /** Messages in a second. */
  rate: number;
  /** Counts, and sends and remembers nothing. */
  dryRun?: boolean;
}

export interface Replayed {
  events: number;
  messages: number;
  /** Where an earlier run of the same replay had come to. */
  resumedAfter?: LogPlace;
}

/** For so many milliseconds an unfinished replay is remembered: as long as a span may be. */
const remembered = 14 * 86_400_000;

/**
 * Sends the events of the logs to their queues once more. It remembers in the table how far it has come, so that the same
 * replay, started again after it was ended in whatever way, goes on from there; one that is over is forgotten.
 */
export async function replayEvents(
  selection: ReplaySelection,
  { send, rate, dryRun }: ReplayOptions,
): Promise<Replayed> {
  const { account, kind, queue } = selection;
  const key = progressAcrossAccountsKey(selection);
  const found = (await getItem(key)) as Partial<LogPlace> | undefined;
  const after =
    found?.account && found.event !== undefined ? { account: found.account, event: found.event } : undefined;
  const replayed: Replayed = { events: 0, messages: 0, ...(after && { resumedAfter: after }) };
  const turn = rateLimiter(rate);
  for await (const { events, place } of loggedEvents(selection, account, after)) {
    const chosen = events.filter((event) => kind === undefined || event.kind === kind);
    const messages = chosen
      .flatMap(messagesOfEvent)
      .filter((message) => queue === undefined || message.queue === queue);
    if (!dryRun) {
      for (let start = 0; start < messages.length; start += 10) {
        const some = messages.slice(start, start + 10);
        await turn(some.length);
        await send(some);
      }
      const expiresAtSeconds = asSeconds(new Date(Date.now() + remembered));
      await transact([putItem({ ...key, type: 'replay', ...place, expiresAtSeconds })], writeDeadline());
    }
    replayed.events += chosen.length;
    replayed.messages += messages.length;
  }
  if (!dryRun) await transact([deleteItem(key)], writeDeadline());
  return replayed;
}

/** Where the progress of a replay is stored, by the digest of its selection. */
function progressAcrossAccountsKey({ from, to, account, kind, queue }: ReplaySelection): Key {
  const digest = createHash('sha256')
    .update(JSON.stringify([from, to, account, kind, queue]))
    .digest('hex');
  return { pk: partitionAcrossAccounts('REPLAY', digest), sk: 'PROGRESS' };
}
