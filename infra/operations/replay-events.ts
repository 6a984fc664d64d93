import { createHash } from 'node:crypto';
import { messagesOfEvent, type QueuedMessage } from '../../events/queue-messages.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { type Key, partitionAcrossAccounts } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { type LogPlace, type LogSpan, loggedEvents } from '../administration/logged-events.ts';
import { rateLimiter } from './rate-limiter.ts';
import { writeDeadline } from './scan-table.ts';

/** The events to replay and the target queue. An omitted field does not limit the selection. */
interface ReplaySelection extends LogSpan {
  account?: AccountId;
  kind?: EventKind;
  queue?: QueueName;
}

interface ReplayOptions {
  send: (messages: readonly QueuedMessage[]) => Promise<void>;
  /** Messages per second. */
  rate: number;
  /** Only counts: sends nothing and stores no progress. */
  dryRun?: boolean;
}

interface Replayed {
  events: number;
  messages: number;
  /** The last event that an interrupted run sent. Undefined if this run started from the beginning. */
  resumedAfter?: LogPlace;
}

/** The lifetime of stored progress, in milliseconds: 14 days, like the longest time span of a replay. */
const progressLifetime = 14 * 86_400_000;

/**
 * Sends logged events to their queues again. Stores its progress in the table. After an interruption, the same replay
 * continues from the stored progress. A completed replay deletes its progress.
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
      const expiresAtSeconds = asSeconds(new Date(Date.now() + progressLifetime));
      await transact([putItem({ ...key, type: 'replay', ...place, expiresAtSeconds })], writeDeadline());
    }
    replayed.events += chosen.length;
    replayed.messages += messages.length;
  }
  if (!dryRun) await transact([deleteItem(key)], writeDeadline());
  return replayed;
}

/** The key of a replay's progress. The key contains a digest of the selection. */
function progressAcrossAccountsKey({ from, to, account, kind, queue }: ReplaySelection): Key {
  const digest = createHash('sha256')
    .update(JSON.stringify([from, to, account, kind, queue]))
    .digest('hex');
  return { pk: partitionAcrossAccounts('REPLAY', digest), sk: 'PROGRESS' };
}
