import { emitMetric } from '../events/emit-metric.ts';
import { asAccountId } from '../id/account-id.ts';
import { sweepDue } from '../table/due.ts';
import { type Due, dueShards } from '../table/due-keys.ts';
import { inParallel } from '../table/in-parallel.ts';
import { asWorkQueueName } from './keys.ts';
import { nextDue } from './queue-state.ts';
import { sendTrigger } from './send-trigger.ts';
import { moveOn, workQueueNoun } from './store.ts';
import type { Run } from './work-queue.ts';

/** The metric that says for how long the oldest of what is due has not been worked. */
export const workQueueLag = 'BacklogLag';

/** So many work queues of a shard are woken at once. */
const pageSize = 25;

/**
 * Wakes every work queue that is due by now, over all accounts, and moves it on by 60 s: first moved, so that of two sweeps one
 * wakes it, and a trigger message that is lost is sent again by the next. Nothing is begun past the deadline. One that cannot be
 * woken is told in the log and passed over.
 */
export async function sweepWorkQueues(run: Run): Promise<void> {
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepShard(shard, run));
  const lags = (await inParallel(shards)).flat();
  if (lags.length > 0) emitMetric(workQueueLag, Math.max(...lags), 'Seconds', { now: run.now });
}

/** For how many seconds each has been due that this run reached, and the oldest that it did not. */
async function sweepShard(shard: number, { now, deadline }: Run): Promise<number[]> {
  const lags: (number | undefined)[] = [];
  const unreached = await sweepDue(
    { noun: workQueueNoun, shard, before: now, limit: pageSize, atOnce: pageSize, deadline },
    async (due) => lags.push(await wakeOrPassOver(due, now)),
  );
  if (unreached) lags.push(secondsSince(unreached.at, now));
  return lags.filter((lag) => lag !== undefined);
}

const secondsSince = (instant: string, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);

async function wakeOrPassOver(due: Due, now: Date): Promise<number | undefined> {
  const [account, name] = [asAccountId(due.account), asWorkQueueName(String(due.id))];
  try {
    if (!account || !name) throw new Error('There is no such work queue.');
    const state = await moveOn({ account, name }, due, now);
    // The index may be a moment late, or another sweep was here.
    if (!state) return undefined;
    await sendTrigger({ account, name });
    const since = nextDue(state);
    return since === undefined ? undefined : secondsSince(since, now);
  } catch (error) {
    console.error(`The sweep passed over the work queue ${due.id} of ${due.account}:`, error);
    return secondsSince(due.at, now);
  }
}
