import type { AccountId } from '../id/account-id.ts';
import { emitOnce } from './emit-once.ts';
import { scheduleKey } from './keys.ts';
import { systemEvent } from './system-event.ts';

/** The counts of a run of a schedule, by account. Each count has a name, such as `tickets`. */
export type ScheduleCounts = Map<AccountId, Record<string, number>>;

/** Counts one more record that the run changed for an account. */
export function countFor(counts: ScheduleCounts, account: AccountId, name: string): void {
  const own = counts.get(account) ?? {};
  counts.set(account, { ...own, [name]: (own[name] ?? 0) + 1 });
}

interface ScheduleRun {
  /** The name of the schedule's file in events/schedules/. */
  schedule: string;
  now: Date;
  deadline: number;
}

const hour = 3600_000;
/** The number of accounts whose events are emitted in parallel. */
const atOnce = 25;

/**
 * Emits `cron_triggered` into the log of each account for which a run did something, at most once an hour and schedule. The
 * event contains the counts of the first such run in the hour, because at the end of an hour nothing else may be due. If an
 * event cannot be emitted, logs the error: the work itself is done. The next run in the hour emits the event.
 */
export async function emitCronTriggered(
  counts: ScheduleCounts,
  { schedule, now, deadline }: ScheduleRun,
): Promise<void> {
  const start = new Date(Math.floor(now.getTime() / hour) * hour);
  const until = new Date(start.getTime() + 2 * hour);
  const from = start.toISOString();
  const emit = async (account: AccountId, own: Record<string, number>) => {
    const draft = {
      kind: 'cron_triggered',
      subject: { type: 'account', id: account },
      data: { schedule, hour: from, counts: own },
    } as const;
    const event = () => systemEvent(draft, { account, now, schedule });
    try {
      await emitOnce(scheduleKey(account, schedule, from), event, { until, deadline });
    } catch (error) {
      console.error(`The event cron_triggered of ${schedule} was not emitted for ${account}:`, error);
    }
  };
  const all = [...counts];
  for (let at = 0; at < all.length; at += atOnce)
    await Promise.all(all.slice(at, at + atOnce).map(([account, own]) => emit(account, own)));
}
