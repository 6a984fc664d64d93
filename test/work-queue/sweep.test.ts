import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import slaSweep from '../../events/schedules/sla-sweep.ts';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { dueAcrossAccountsKey } from '../../shared/table/due-keys.ts';
import { enqueueWrites } from '../../shared/work-queue/enqueue.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { closeWorkQueue, markDueUnread, readWorkQueueState } from '../../shared/work-queue/store.ts';
import { clock } from '../harness/clock.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type WireExchange, watchWire } from '../harness/wire.ts';
import {
  add,
  handlerBy,
  hour,
  minute,
  newWorkQueue,
  pass,
  passTwoMinutes,
  run,
  statuses,
  time,
  triggers,
  workItem,
  write,
} from './world.ts';

const lags: number[] = [];
beforeEach(async () => {
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((line: string | Uint8Array) => {
    if (!String(line).includes('"WorkQueueLag"')) return write(line);
    return lags.push(JSON.parse(String(line)).WorkQueueLag) > 0;
  });
  lags.length = 0;
});
afterEach(() => void vi.restoreAllMocks());
const sweep = () => runSchedule(workQueueSweep, time.now);

async function exchangesOf(act: () => Promise<unknown>): Promise<WireExchange[]> {
  const exchanges: WireExchange[] = [];
  const stop = watchWire({ done: (exchange) => void exchanges.push(exchange) });
  await act().finally(stop);
  return exchanges;
}

test('a lost trigger message delays work by at most two minutes, and only one of two concurrent sweeps replaces the message', async () => {
  const [workQueue, work] = [newWorkQueue(), handlerBy()];
  await add(workQueue, 'a');
  triggers.splice(0);
  await sweep();
  expect(triggers).toEqual([]);
  pass(2 * minute);
  // A run that has no time left triggers nothing, but reports the lag.
  await workQueueSweep.run(time.now, Date.now() - 1);
  expect([triggers, lags.splice(0)]).toEqual([[], [60]]);
  await Promise.all([sweep(), sweep()]);
  expect(triggers).toEqual([{ name: workQueue.name, delay: 0 }]);
  expect(lags).toEqual([120]);
  // This message is lost, too. A sweep sends another message only after a minute.
  await sweep();
  pass(minute + 1);
  await sweep();
  expect(triggers).toHaveLength(2);
  expect(Math.max(...lags)).toBeCloseTo(180, 0);
  await runWorkQueue(workQueue, work, run());
  expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
  expect(workQueueSweep.lag).toEqual({ metric: 'WorkQueueLag', minutes: 5 });
});

test('the work of a closed account waits without triggers, and continues within two minutes after the reopening', async () => {
  const [workQueue, work] = [newWorkQueue(), handlerBy()];
  await add(workQueue, 'a');
  await write([closeWorkQueue(workQueue)]);
  await runWorkQueue(workQueue, work, run());
  triggers.splice(0);
  await add(workQueue, 'b');
  expect(triggers).toEqual([]);
  await write(enqueueWrites(workQueue, workItem('c'), time.now));
  await passTwoMinutes(workQueue, work, 2);
  lags.splice(0);
  await passTwoMinutes(workQueue, work);
  // The first sweep has removed the work queue from the index.
  const { state } = await readWorkQueueState(workQueue);
  expect([work.attempted, triggers, lags, state.sweepAt]).toEqual([[], [], [], undefined]);
  await write([markDueUnread(workQueue, time.now, { closed: false })]);
  await passTwoMinutes(workQueue, work);
  expect(await statuses(workQueue)).toEqual({ a: 'delivered', b: 'delivered', c: 'delivered' });
});

test('an account that is closed during a run stops the run, and no work is lost or repeated', async () => {
  const workQueue = newWorkQueue();
  const ids = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
  const work = handlerBy(async ({ id }) => {
    if (id === ids[0]) await write([closeWorkQueue(workQueue)]);
    return { status: 'delivered', attempt: {} };
  });
  for (const id of ids) await add(workQueue, id);
  await runWorkQueue(workQueue, work, run());
  // The attempts of the page that was read before are made.
  expect(work.attempted.length).toBeLessThan(50);
  const { state } = await readWorkQueueState(workQueue);
  expect([state.closed, state.lease, state.sweepAt]).toEqual([true, undefined, undefined]);
  await passTwoMinutes(workQueue, work);
  expect(work.attempted.length).toBeLessThan(50);
  await write([markDueUnread(workQueue, time.now, { closed: false })]);
  await passTwoMinutes(workQueue, work);
  expect(work.attempted.toSorted()).toEqual(ids);
  expect(new Set(Object.values(await statuses(workQueue)))).toEqual(new Set(['delivered']));
});

test('a full page of invalid work queues does not delay the work queues after it', async () => {
  const workQueue = newWorkQueue();
  await add(workQueue, 'a');
  const { sweepAt: dueAt = '' } = (await readWorkQueueState(workQueue)).state;
  const noun = 'WORKQUEUE';
  const { duePk } = dueAcrossAccountsKey({ account: workQueue.account, noun, id: workQueue.name, at: dueAt });
  // Creates invalid index entries in the same shard. All of them are due earlier than the valid entry.
  const names = Array.from({ length: 400 }, (_, n) => `none-${n}`);
  const unknown = names.flatMap((id, n) => {
    const place = dueAcrossAccountsKey({
      account: workQueue.account,
      noun,
      id,
      at: dueAt.replace(/^..../, '2020'),
    });
    return place.duePk === duePk ? [{ pk: `TEST#${n}`, sk: 'TEST', ...place }] : [];
  });
  expect(unknown.length).toBeGreaterThan(25);
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  await putAll(unknown);
  triggers.splice(0);
  pass(2 * minute);
  await sweep();
  expect(error.mock.calls.length).toBe(unknown.length);
  expect(triggers).toEqual([{ name: workQueue.name, delay: 0 }]);
  // The metric reports the lag of the invalid entries, which have been due since 2020.
  expect(Math.max(...lags)).toBeGreaterThan((365 * 24 * hour) / 1000);
  await deleteAll(unknown);
  await runWorkQueue(workQueue, handlerBy(), run());
});

test('work that was added more than 15 minutes before its due time is triggered by the sweep when it is due', async () => {
  const [workQueue, work] = [newWorkQueue(), handlerBy()];
  await add(workQueue, 'a', { due: new Date(time.now.getTime() + 2 * hour) });
  expect(triggers).toEqual([]);
  pass(hour);
  await sweep();
  await runWorkQueue(workQueue, work, run());
  expect([triggers, work.attempted]).toEqual([[], []]);
  pass(hour + minute);
  await sweep();
  expect(triggers).toHaveLength(1);
  await runWorkQueue(workQueue, work, run());
  expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
  expect((await readWorkQueueState(workQueue)).state).toEqual({ leases: 1, failures: 0 });
});

test('a work queue has one entry in the due index for any number of items, and the sweep of tickets does not read the entry', async () => {
  const workQueues = [newWorkQueue(), newWorkQueue()];
  for (const workQueue of workQueues) for (const id of ['a', 'b', 'c']) await add(workQueue, id);
  pass(2 * minute);
  const tickets = await exchangesOf(() => runSchedule(slaSweep, clock.now()));
  expect(tickets.map(({ operation, output }) => [operation, output.Count])).toEqual(
    Array.from({ length: 8 }, () => ['Query', 0]),
  );
  const moved = (await exchangesOf(sweep)).filter(({ operation }) => operation === 'UpdateItem');
  expect(moved).toHaveLength(2);
  const again = await exchangesOf(sweep);
  expect(again.map(({ operation, output }) => [operation, output.Count])).toEqual(
    Array.from({ length: 8 }, () => ['Query', 0]),
  );
  for (const workQueue of workQueues) await runWorkQueue(workQueue, handlerBy(), run());
});

test('a sweep that triggers work emits cron_triggered with the number of work queues, but not for jobs', async () => {
  const { account } = newWorkQueue();
  const other = newWorkQueue().account;
  for (const name of ['MAIL', 'SMS'] as const) await add({ account, name }, 'a');
  await add(webhookWorkQueue(account, 1), 'a');
  await add(webhookWorkQueue(account, 2), 'a');
  await add({ account: other, name: 'JOBS' }, 'a');
  triggers.splice(0);
  pass(2 * minute);
  await Promise.all([sweep(), sweep()]);
  const counted = (await storedEvents(account)).map(({ kind, data }) => [kind, data]);
  expect(counted).toEqual([
    [
      'cron_triggered',
      { schedule: 'work-queue-sweep', hour: expect.any(String), counts: expect.any(Object) },
    ],
  ]);
  const names = counted.flatMap(([, data]) => Object.keys((data as { counts: object }).counts));
  for (const name of names) expect(['mail', 'textMessages', 'webhooks']).toContain(name);
  expect(triggers.map(({ name }) => name).filter((name) => name === 'JOBS')).toHaveLength(1);
  expect(await storedEvents(other)).toEqual([]);
});
