import { busy } from '../../errors.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asSeconds } from '../../table/item.ts';
import { checkAbsent, putIfAbsent, putIfEquals, type Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { VersionConflict } from '../../table/transact.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { type Cadence, type Period, periodAt } from './digest-period.ts';
import { digestArrivalKey, digestClosedKey, digestRowKey } from './keys.ts';

/** The content of a work item that closes a digest and enqueues a mail for each user in it. */
export interface DigestClosing {
  closes: Cadence;
  period: string;
  after: number;
}

interface DigestArrival {
  account: AccountId;
  cadence: Cadence;
  timezone: string;
  userId: number;
  /** At most `eventsAtOnce`. */
  eventIds: readonly number[];
  /** Set if the events come from a digest that could not be sent: the period of that digest. */
  leftBy?: string;
}

/** A transaction has at most 100 operations, and each event needs two. */
export const eventsAtOnce = 40;

/** How long the items of a digest are kept after its period, in milliseconds. */
const kept = 30 * 86_400_000;
/** The largest UTC offset of a time zone, in milliseconds. Zones with this offset reach 09:00 before other zones. */
const maxOffset = 14 * 3_600_000;

/** Adds events to the current digest, or to the next digest if the current one has been closed. Idempotent. */
export async function addToDigest(arrival: DigestArrival, run: Run): Promise<void> {
  let from = run.now;
  for (;;) {
    const period = periodAt(arrival.cadence, from, arrival.timezone);
    const { isClosed, periods, pending } = await readArrivals(arrival, period.name);
    if (pending.length === 0 || (!isClosed && (await putRows(arrival, period, pending, run)))) {
      if (pending.length > 0) periods.add(period.name);
      for (const name of periods) await openClosing(arrival, name, run);
      return;
    }
    if (isClosed) from = period.due;
    if (Date.now() >= run.deadline) throw busy();
  }
}

interface PendingEvent {
  eventId: number;
  /** True if the event moves from a digest that could not be sent. */
  moves: boolean;
}

async function readArrivals(
  { account, cadence, userId, eventIds, leftBy }: DigestArrival,
  period: string,
): Promise<{ isClosed: boolean; periods: Set<string>; pending: PendingEvent[] }> {
  const [closed, ...arrived] = await getItems([
    digestClosedKey({ account, cadence, period }),
    ...eventIds.map((eventId) => digestArrivalKey(account, cadence, userId, eventId)),
  ]);
  const periods = new Set<string>();
  const pending: PendingEvent[] = [];
  for (const [n, eventId] of eventIds.entries()) {
    const item = arrived[n];
    if (item && item.period !== leftBy) periods.add(String(item.period));
    else pending.push({ eventId, moves: item !== undefined });
  }
  return { isClosed: closed !== undefined, periods, pending };
}

/** Writes the rows of events. Returns false if the digest has been closed, or contains one of the events already. */
async function putRows(
  { account, cadence, userId, leftBy }: DigestArrival,
  { name: period, due }: Period,
  pending: readonly PendingEvent[],
  { deadline }: Run,
): Promise<boolean> {
  const digest = { account, cadence, period };
  const expiresAtSeconds = asSeconds(new Date(due.getTime() + kept));
  const writes = pending.flatMap(({ eventId, moves }): Write[] => {
    const row = { ...digestRowKey(digest, userId, eventId), type: 'digest-row', eventId, expiresAtSeconds };
    const arrivedAt = digestArrivalKey(account, cadence, userId, eventId);
    const arrived = { ...arrivedAt, type: 'digest-arrival', period, expiresAtSeconds };
    return [putIfAbsent(row), moves ? putIfEquals(arrived, 'period', leftBy) : putIfAbsent(arrived)];
  });
  try {
    await commit({ writes: [checkAbsent(digestClosedKey(digest)), ...writes], events: [], deadline });
    return true;
  } catch (error) {
    if (error instanceof VersionConflict) return false;
    throw error;
  }
}

/** The digests for which this process has enqueued the closing work item. Avoids one write per event. */
const opened = new Set<string>();
const mostOpened = 1_000;

async function openClosing({ account, cadence }: DigestArrival, period: string, run: Run): Promise<void> {
  const closing = `${account}/${cadence}/${period}`;
  if (opened.has(closing)) return;
  const content: DigestClosing = { closes: cadence, period, after: 0 };
  const begins = Date.parse(period);
  // Does not use the account's zone, because the zone may change, and a repeated call must compute the same time.
  const first = new Date(cadence === 'hourly' ? begins : begins + 9 * 3_600_000 - maxOffset);
  const expires = new Date(begins + kept);
  const id = `digest-${cadence}-${period}`;
  await enqueue({ account, name: 'MAIL' }, { id, due: first, content, expires }, run);
  if (opened.size >= mostOpened) opened.clear();
  opened.add(closing);
}
