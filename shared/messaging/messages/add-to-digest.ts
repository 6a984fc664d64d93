import { busy } from '../../errors.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asSeconds } from '../../table/item.ts';
import { checkAbsent, putIfAbsent, putIfEquals, type Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { VersionConflict } from '../../table/transact.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { Run } from '../../work-queue/work-queue.ts';
import type { HandOver } from '../recipients/fan-out.ts';
import { type Cadence, type Period, periodAt } from './digest-period.ts';
import { digestArrivalKey, digestClosedKey, digestRowKey } from './keys.ts';
import { readSender } from './read-sender.ts';

/** The content of a work item of mail that closes a digest, and opens a mail for each user in it. */
export interface DigestClosing {
  closes: Cadence;
  period: string;
  /** The id of the last user whose mail was opened. */
  after: number;
}

/** What arrives in a digest, for whom. */
interface DigestArrival {
  account: AccountId;
  cadence: Cadence;
  timezone: string;
  userId: number;
  /** At most `eventsAtOnce`. */
  eventIds: readonly number[];
  /** The period whose digest may not have been sent: what it held is to be in the next one. */
  leftBy?: string;
}

/** A transaction takes a hundred operations, and an event two of them. */
export const eventsAtOnce = 40;

/** How long rows and records of digests are kept behind their period. */
const kept = 30 * 86_400_000;
/** How far the clocks of the world are apart at most: a digest is looked at for the first time when its hour is anywhere. */
const earliest = 14 * 3_600_000;

/**
 * Puts events into the digest of the period in which they arrive, each once however often it is called. A row holds only while
 * the period takes any: what comes as it closes is in the next one, and nothing is between two.
 */
export async function addToDigest(arrival: DigestArrival, run: Run): Promise<void> {
  let from = run.now;
  for (;;) {
    const period = periodAt(arrival.cadence, from, arrival.timezone);
    const { isClosed, periods, left } = await readArrivals(arrival, period.name);
    if (left.length === 0 || (!isClosed && (await putRows(arrival, period, left, run)))) {
      if (left.length > 0) periods.add(period.name);
      for (const name of periods) await openClosing(arrival, name, run);
      return;
    }
    if (isClosed) from = period.due;
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** An event that is to be put into a digest, and whether another one has it. */
interface LeftPeriod {
  eventId: number;
  moves: boolean;
}

/** Where the events of an arrival are, which of them are left to be put into a digest, and whether this one is closed. */
async function readArrivals(
  { account, cadence, userId, eventIds, leftBy }: DigestArrival,
  period: string,
): Promise<{ isClosed: boolean; periods: Set<string>; left: LeftPeriod[] }> {
  const [closed, ...arrived] = await getItems([
    digestClosedKey({ account, cadence, period }),
    ...eventIds.map((eventId) => digestArrivalKey(account, cadence, userId, eventId)),
  ]);
  const periods = new Set<string>();
  const left: LeftPeriod[] = [];
  for (const [n, eventId] of eventIds.entries()) {
    const item = arrived[n];
    if (item && item.period !== leftBy) periods.add(String(item.period));
    else left.push({ eventId, moves: item !== undefined });
  }
  return { isClosed: closed !== undefined, periods, left };
}

/** Writes the rows of events, and where each has arrived. False: the digest was closed meanwhile, or one has arrived. */
async function putRows(
  { account, cadence, userId, leftBy }: DigestArrival,
  { name: period, due }: Period,
  left: readonly LeftPeriod[],
  { deadline }: Run,
): Promise<boolean> {
  const digest = { account, cadence, period };
  const expiresAtSeconds = asSeconds(new Date(due.getTime() + kept));
  const writes = left.flatMap(({ eventId, moves }): Write[] => {
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

/** Closings that this process has opened: they are open until their digest takes nothing more. */
const opened = new Set<string>();
const mostOpened = 1_000;

async function openClosing({ account, cadence }: DigestArrival, period: string, run: Run): Promise<void> {
  const closing = `${account}/${cadence}/${period}`;
  if (opened.has(closing)) return;
  const content: DigestClosing = { closes: cadence, period, after: 0 };
  const begins = Date.parse(period);
  // From the name alone, so that a repeat says the same whatever zone the account has by then.
  const first = new Date(cadence === 'hourly' ? begins : begins + 9 * 3_600_000 - earliest);
  const expires = new Date(begins + kept);
  const id = `digest-${cadence}-${period}`;
  await enqueue({ account, name: 'MAIL' }, { id, due: first, content, expires }, run);
  if (opened.size >= mostOpened) opened.clear();
  opened.add(closing);
}

/** Puts the notification of an event into the digests of a cadence. The account's zone is read once for all of them. */
export function intoDigest(cadence: Cadence): HandOver {
  let timezone: Promise<string> | undefined;
  return async ({ userId }, { accountId: account, id: eventId }, run) => {
    timezone ??= readSender(account).then((sender) => sender.timezone);
    await addToDigest({ account, cadence, timezone: await timezone, userId, eventIds: [eventId] }, run);
  };
}
