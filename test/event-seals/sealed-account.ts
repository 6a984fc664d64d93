import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import { listedAccount } from '../../shared/accounts/directory.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { StoredSeal } from '../../shared/integrity/event-seals/seal.ts';
import { sealEvents } from '../../shared/integrity/event-seals/seal-events.ts';
import { allSeals } from '../../shared/integrity/event-seals/store.ts';
import { turnOf } from '../../shared/integrity/event-seals/turns.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import type { JobContent } from '../../shared/work-queue/jobs.ts';
import type { AttemptResult, AttemptRun } from '../../shared/work-queue/work-handler.ts';
import { newWorkItem } from '../../shared/work-queue/work-item.ts';
import { clock } from '../harness/clock.ts';
import { drain, drainQueues } from '../harness/drain.ts';
import { eventOf } from '../harness/notify.ts';
import { runSchedule } from '../harness/run-schedule.ts';

const minute = 60_000;

let accounts = 0;

/** Creates an account in the directory, with an empty event log. */
export async function newAccount(): Promise<AccountId> {
  accounts += 1;
  const account = `sealed-${accounts}` as AccountId;
  await putAll([listedAccount(account)]);
  return account;
}

/** Commits events and runs the consumers. */
export async function addEvents(account: AccountId, count = 1): Promise<Event[]> {
  const events = Array.from({ length: count }, () => eventOf(account));
  await commit({ writes: [], events, deadline: Date.now() + 10_000 });
  await drain();
  return events;
}

/** Advances the clock to five seconds after an account's next scheduled seal time. */
export function passToTurn(account: AccountId): void {
  const next = Math.floor(clock.now().getTime() / minute) + 1;
  const wait = (turnOf(account) - (next % 10) + 10) % 10;
  clock.advance((next + wait) * minute + 5_000 - clock.now().getTime());
}

/** Delivers the trigger messages that are due, so that the scheduled sealing runs. */
export const takeTurn = (): Promise<void> => drainQueues();

/** Seals all earlier events. Advances the clock by six minutes and then to the account's next scheduled seal time. */
export async function seal(account: AccountId): Promise<StoredSeal[]> {
  clock.advance(6 * minute);
  passToTurn(account);
  await takeTurn();
  return allSeals(account);
}

/** Advances the clock by two minutes, so that the sweep triggers work queues with expired leases. */
export async function sweepAfterCrash(): Promise<void> {
  clock.advance(2 * minute);
  await runSchedule(workQueueSweep, clock.now());
  await drainQueues();
}

export const job: JobContent = { job: 'seal_events' };

/** Runs one attempt of the sealing job as a new worker. */
export async function attempt(account: AccountId, run: Partial<AttemptRun> = {}): Promise<AttemptResult> {
  const now = clock.now();
  const workItem = newWorkItem({ id: 'seal', due: now, content: job, expires: now }, now);
  const { signal } = new AbortController();
  const all = { now, deadline: Date.now() + 40_000, signal, once: false, ...run };
  return sealEvents(workItem, { account, name: 'SEALING' }, all);
}
