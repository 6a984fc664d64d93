import { countFor, emitCronTriggered, type ScheduleCounts } from '../../events/emit-cron-triggered.ts';
import { emitMetric } from '../../events/emit-metric.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import { settleClock } from '../../sla/clock.ts';
import { backoff } from '../../table/backoff.ts';
import { sweepDue } from '../../table/due.ts';
import { type Due, dueShards } from '../../table/due-keys.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { totalShards } from '../../table/keys.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { ticketEvents } from './events.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** `schedule` is the name of the schedule in the events of the sweep. `lagMetric` measures the delay of the sweep. */
export const slaSweep = { schedule: 'sla-sweep', lagMetric: 'SlaSweepLag' } as const;

interface Sweep extends Run {
  /** The number of tickets that the sweep changed in each account. */
  counts: ScheduleCounts;
}

const pageSize = 50;
/** The retry limits for one ticket, so that one ticket does not delay other tickets for long. */
const maxTryMilliseconds = 5_000;
const maxTries = 8;

/**
 * Marks as breached every open target that was due before `now`, across all accounts. Shards run in parallel. A shard
 * commits one ticket at a time, oldest first, until no ticket is due or the deadline has passed. Tickets that cannot be
 * written are logged and skipped. If a shard cannot be read, its error is thrown after the other shards have finished.
 */
export async function sweepTickets(run: Run): Promise<void> {
  const counts: ScheduleCounts = new Map();
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepShard(shard, { ...run, counts }));
  const emit = () => emitCronTriggered(counts, { ...run, schedule: slaSweep.schedule });
  await inParallel(shards).finally(emit);
}

/** Sweeps a shard, and emits the longest delay of the tickets that were overdue, skipped or not reached. */
async function sweepShard(shard: number, sweep: Sweep): Promise<void> {
  const { now, deadline } = sweep;
  const lags: number[] = [];
  const late = ({ at }: Due): void => void lags.push((now.getTime() - Date.parse(at)) / 1000);
  const unreached = await sweepDue(
    { noun: tickets.noun, shard, before: now, limit: pageSize, atOnce: 1, deadline },
    async (due) => {
      if (await sweepOrSkip(due, shard, sweep)) late(due);
    },
  );
  if (unreached) late(unreached);
  if (lags.length > 0) emitMetric(slaSweep.lagMetric, Math.max(...lags), 'Seconds', { now });
}

/** Returns true if the ticket was overdue, or was skipped after an error. */
async function sweepOrSkip(due: Due, shard: number, sweep: Sweep): Promise<boolean> {
  try {
    return await sweepTicket(due, totalsFor(shard), sweep);
  } catch (error) {
    console.error(`SLA sweep skipped ticket ${due.id} of account ${due.account}:`, error);
    return true;
  }
}

/** Each sweep shard updates its own shards of the totals, so that parallel writes do not conflict. */
const totalsFor = (shard: number): number[] => [shard, shard + totalShards / 2];

/** Returns false if no open target is overdue, for example because a concurrent write has marked it as breached. */
async function sweepTicket(
  { account, id }: Due,
  shards: readonly number[],
  { now, deadline, counts }: Sweep,
): Promise<boolean> {
  const until = Math.min(deadline, Date.now() + maxTryMilliseconds);
  for (let attempts = 0; ; await backoff(attempts)) {
    const ticket = await tickets.find(account, Number(id));
    // The index is eventually consistent and may contain deleted tickets.
    if (!ticket) return false;
    const settled = settleTicket(ticket, { now, actor: 'system' });
    if (settled.after === ticket) return false;
    const origin = { account, now, schedule: slaSweep.schedule };
    const events = ticketEvents(settled).map((draft) => systemEvent(draft, origin));
    try {
      await commit({ writes: tickets.change(settled), events, deadline: until, attempts, shards });
      countFor(counts, account, 'tickets');
      return true;
    } catch (error) {
      if (!(error instanceof VersionConflict) || error.attempts >= maxTries) throw error;
      attempts = error.attempts;
    }
  }
}

/** Marks open targets that were due before `now` as breached. Needs no policy: the clock contains the due times. */
export function settleTicket(
  before: StoredTicket,
  { now, actor }: { now: Date; actor: string },
): ChangedTicket {
  const { clock, entries, breaches } = settleClock(before.clock, now.toISOString());
  return { before, after: revise(before, { clock }, authoredBy(actor, now)), entries, breaches };
}
