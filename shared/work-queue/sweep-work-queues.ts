import { messageQueueNames, messageWords } from '../channels/terms.ts';
import { countFor, emitCronTriggered, type ScheduleCounts } from '../events/emit-cron-triggered.ts';
import { emitMetric } from '../events/emit-metric.ts';
import { asAccountId } from '../id/account-id.ts';
import { sweepDue } from '../table/due.ts';
import { type Due, dueShards } from '../table/due-keys.ts';
import { inParallel } from '../table/in-parallel.ts';
import { asWorkQueueName, type WorkQueue, type WorkQueueName, webhookOf } from './keys.ts';
import { sendTrigger } from './send-trigger.ts';
import { postponeSweep, workQueueNoun } from './store.ts';
import type { Run } from './work-handler.ts';
import { nextStart } from './work-queue-state.ts';

/** The metric for the delay of the most overdue work queue, in seconds. */
export const workQueueLag = 'WorkQueueLag';

/** The name of the schedule in its events. */
const schedule = 'work-queue-sweep';

/** The names of work queues in `cron_triggered`. Work queues of webhooks are counted as `webhooks`. */
const countedAs: Partial<Record<WorkQueueName, string>> = {
  ...Object.fromEntries(messageQueueNames.map((name) => [name, messageWords[name].counted])),
  PARTNER: 'partnerRequests',
  PARTNEREVENTS: 'partnerEvents',
};

const pageSize = 25;

/**
 * Triggers every due work queue of all accounts. First postpones the next sweep of the work queue by 60 s, so
 * that only one of two concurrent sweeps triggers the work queue. If the trigger message is lost, a later
 * sweep sends another one. Triggers nothing after the deadline. If a work queue cannot be triggered, logs the
 * error and continues.
 */
export async function sweepWorkQueues(run: Run): Promise<void> {
  const counts: ScheduleCounts = new Map();
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepShard(shard, run, counts));
  const emit = () => emitCronTriggered(counts, { ...run, schedule });
  const lags = (await inParallel(shards).finally(emit)).flat();
  if (lags.length > 0) emitMetric(workQueueLag, Math.max(...lags), 'Seconds', { now: run.now });
}

/** Returns the delay in seconds of each processed work queue, and of the most overdue one that was not processed. */
async function sweepShard(shard: number, { now, deadline }: Run, counts: ScheduleCounts): Promise<number[]> {
  const lags: (number | undefined)[] = [];
  const unreached = await sweepDue(
    { noun: workQueueNoun, shard, before: now, limit: pageSize, atOnce: pageSize, deadline },
    async (due) => lags.push(await triggerOrSkip(due, now, counts)),
  );
  if (unreached) lags.push(secondsSince(unreached.at, now));
  return lags.filter((lag) => lag !== undefined);
}

const secondsSince = (instant: string, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);

async function triggerOrSkip(due: Due, now: Date, counts: ScheduleCounts): Promise<number | undefined> {
  const [account, name] = [asAccountId(due.account), asWorkQueueName(String(due.id))];
  try {
    if (!account || !name) throw new Error('The account or the name is not valid.');
    const state = await postponeSweep({ account, name }, due, now);
    // Either another sweep was faster, or the index was outdated (it is eventually consistent).
    if (!state) return undefined;
    await sendTrigger({ account, name });
    countTriggered(counts, { account, name });
    const since = nextStart(state);
    return since === undefined ? undefined : secondsSince(since, now);
  } catch (error) {
    console.error(`The sweep skipped the work queue ${due.id} of ${due.account}:`, error);
    return secondsSince(due.at, now);
  }
}

/**
 * Jobs and the sealing of the event log are not counted. An event about sealing must itself be sealed, so that an account
 * without other events would get one event an hour.
 */
function countTriggered(counts: ScheduleCounts, workQueue: WorkQueue): void {
  const name = webhookOf(workQueue) === undefined ? countedAs[workQueue.name] : 'webhooks';
  if (name !== undefined) countFor(counts, workQueue.account, name);
}
