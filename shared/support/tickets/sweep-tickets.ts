import { emitMetric } from '../../events/emit-metric.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import { backoff } from '../../table/backoff.ts';
import { sweepDue } from '../../table/due.ts';
import { type Due, dueShards } from '../../table/due-keys.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { totalShards } from '../../table/keys.ts';
import { VersionConflict } from '../../table/transact.ts';
import { ticketEvents } from './events.ts';
import { settleTicket } from './settle-ticket.ts';
import { tickets } from './store.ts';

/** The schedule, by which its events are known, and the metric that says how late it is. */
export const slaSweep = { schedule: 'sla-sweep', lagMetric: 'SlaSweepLag' } as const;

/** When a sweep takes place, and the milliseconds since 1970 after which it takes up nothing more. */
interface Sweep {
  now: Date;
  deadline: number;
}

/** So many of what is due in a shard are asked for at once. */
const pageSize = 50;
/** How long, in milliseconds, and how often a ticket is tried, so that it keeps no other waiting. */
const longestTry = 5_000;
const mostTries = 8;

/**
 * Marks every target that was due before `now` and is not met as missed, over all accounts: the shards of what is due
 * side by side, each oldest first, one commit for each ticket, until nothing is due or the deadline is over. A ticket that
 * cannot be written is told in the log and passed over. Throws, once the others are done, where a shard cannot be read.
 */
export async function sweepTickets(sweep: Sweep): Promise<void> {
  await inParallel(Array.from({ length: dueShards }, (_, shard) => sweepShard(shard, sweep)));
}

/** The metric reports how late the oldest ticket was that had something to do, or that this run did not reach. */
async function sweepShard(shard: number, sweep: Sweep): Promise<void> {
  const { now, deadline } = sweep;
  const lags: number[] = [];
  const late = ({ at }: Due): void => void lags.push((now.getTime() - Date.parse(at)) / 1000);
  const unreached = await sweepDue(
    { noun: tickets.noun, shard, before: now, limit: pageSize, atOnce: 1, deadline },
    async (due) => {
      if (await sweepOrPassOver(due, shard, sweep)) late(due);
    },
  );
  if (unreached) late(unreached);
  if (lags.length > 0) emitMetric(slaSweep.lagMetric, Math.max(...lags), 'Seconds', { now });
}

/** Whether there was anything to do. */
async function sweepOrPassOver(due: Due, shard: number, sweep: Sweep): Promise<boolean> {
  try {
    return await sweepTicket(due, totalsFor(shard), sweep);
  } catch (error) {
    console.error(`The sweep passed over the ticket ${due.id} of ${due.account}:`, error);
    return true;
  }
}

/** Each shard of what is due counts in shards of totals of its own, so that a sweep never conflicts with itself. */
const totalsFor = (shard: number): number[] => [shard, shard + totalShards / 2];

/** Another write that comes first settles the clock too: then there is nothing left to do. */
async function sweepTicket(
  { account, id }: Due,
  shards: readonly number[],
  { now, deadline }: Sweep,
): Promise<boolean> {
  const until = Math.min(deadline, Date.now() + longestTry);
  for (let attempts = 0; ; await backoff(attempts)) {
    const ticket = await tickets.find(account, Number(id));
    // The index may be a moment late.
    if (!ticket) return false;
    const settled = settleTicket(ticket, { now, actor: 'system' });
    if (settled.after === ticket) return false;
    const circumstances = { account, now, schedule: slaSweep.schedule };
    const events = ticketEvents(settled).map((draft) => systemEvent(draft, circumstances));
    try {
      await commit({ writes: tickets.change(settled), events, deadline: until, attempts, shards });
      return true;
    } catch (error) {
      if (!(error instanceof VersionConflict) || error.attempts >= mostTries) throw error;
      attempts = error.attempts;
    }
  }
}
