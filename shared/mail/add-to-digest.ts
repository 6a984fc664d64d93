import type { Run } from '../backlogs/backlog.ts';
import { openEntry } from '../backlogs/open-entry.ts';
import { busy } from '../errors.ts';
import { commit } from '../events/outbox.ts';
import type { AccountId } from '../id/account-id.ts';
import { asSeconds } from '../table/item.ts';
import { digestArrivalKey, digestClosedKey, digestRowKey } from '../table/keys.ts';
import { checkAbsent, putIfAbsent, setIfEquals } from '../table/operations.ts';
import { getItems } from '../table/read.ts';
import { VersionConflict } from '../table/transact.ts';
import { type Cadence, dueOf, type Period, periodAt } from './digest-period.ts';

/** The content of an entry of mail that closes a digest, and opens a mail for each user in it. */
export interface DigestClosing {
  closes: Cadence;
  period: string;
  /** The id of the last user whose mail was opened. */
  after: number;
}

/** What arrives in a digest, for whom. */
interface Arrival {
  account: AccountId;
  cadence: Cadence;
  timezone: string;
  userId: number;
  eventId: number;
  /** The period whose digest may not have been sent: what it held is to be in the next one. */
  leftBy?: string;
}

/** How long rows and records of digests are kept behind their period. */
const kept = 30 * 86_400_000;
/** How far the clocks of the world are apart at most: a digest is looked at for the first time when its hour is anywhere. */
const earliest = 14 * 3_600_000;

/**
 * Puts an event into the digest of the period in which it arrives, once however often it is called. The row holds only while
 * the period takes any: what comes as it closes is in the next one, and nothing is between two.
 */
export async function addToDigest(arrival: Arrival, run: Run): Promise<void> {
  const { account, cadence, timezone, userId, eventId, leftBy } = arrival;
  const arrivedKey = digestArrivalKey(account, cadence, userId, eventId);
  let from = run.now;
  for (;;) {
    const period = periodAt(cadence, from, timezone);
    const digest = { account, cadence, period: period.name };
    const [arrived, closed] = await getItems([arrivedKey, digestClosedKey(digest)]);
    if (arrived && arrived.period !== leftBy) {
      const name = String(arrived.period);
      return openClosing(arrival, { name, due: dueOf(cadence, name, timezone) }, run);
    }
    if (closed) from = period.due;
    else {
      const expiresAtSeconds = asSeconds(new Date(period.due.getTime() + kept));
      const row = { type: 'digest-row', eventId, expiresAtSeconds };
      try {
        await commit({
          writes: [
            checkAbsent(digestClosedKey(digest)),
            putIfAbsent({ ...digestRowKey(digest, userId, eventId), ...row }),
            leftBy !== undefined && arrived
              ? setIfEquals(arrivedKey, 'period', leftBy, period.name, 'conflict')
              : putIfAbsent({ ...arrivedKey, type: 'digest-arrival', period: period.name, expiresAtSeconds }),
          ],
          events: [],
          deadline: run.deadline,
        });
        return openClosing(arrival, period, run);
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
    }
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** Closings that this process has opened: they are open until their digest takes nothing more. */
const opened = new Set<string>();
const mostOpened = 1_000;

async function openClosing({ account, cadence }: Arrival, { name, due }: Period, run: Run): Promise<void> {
  const closing = `${account}/${cadence}/${name}`;
  if (opened.has(closing)) return;
  const content: DigestClosing = { closes: cadence, period: name, after: 0 };
  // From the name alone, so that a repeat says the same whatever zone the account has by then.
  const first = cadence === 'hourly' ? due : new Date(Date.parse(name) + 9 * 3_600_000 - earliest);
  const expires = new Date(Date.parse(name) + kept);
  const id = `digest-${cadence}-${name}`;
  await openEntry({ account, name: 'MAIL' }, { id, due: first, content, expires }, run);
  if (opened.size >= mostOpened) opened.clear();
  opened.add(closing);
}
