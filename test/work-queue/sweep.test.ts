import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import backlogSweep from '../../events/schedules/backlog-sweep.ts';
import slaSweep from '../../events/schedules/sla-sweep.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { dueAcrossAccountsKey } from '../../shared/table/due-keys.ts';
import { openEntry } from '../../shared/work-queue/open-entry.ts';
import { readHead } from '../../shared/work-queue/store.ts';
import { workBacklog } from '../../shared/work-queue/work-backlog.ts';
import { clock } from '../harness/clock.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type WireExchange, watchWire } from '../harness/wire.ts';
import { entry, hour, minute, newBacklog, pass, run, statuses, time, wakeUps, workBy } from './world.ts';

const lags: number[] = [];
beforeEach(async () => {
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((line: string | Uint8Array) => {
    if (!String(line).includes('"BacklogLag"')) return write(line);
    return lags.push(JSON.parse(String(line)).BacklogLag) > 0;
  });
  lags.length = 0;
});
afterEach(() => void vi.restoreAllMocks());
const sweep = () => runSchedule(backlogSweep, time.now);

/** The requests of our functions. */
async function exchangesOf(act: () => Promise<unknown>): Promise<WireExchange[]> {
  const exchanges: WireExchange[] = [];
  const stop = watchWire({ done: (exchange) => void exchanges.push(exchange) });
  await act().finally(stop);
  return exchanges;
}

test('a lost wake-up costs two minutes at most, and of two sweeps at once one wakes a backlog', async () => {
  const [backlog, work] = [newBacklog(), workBy()];
  await openEntry(backlog, entry('a'), run());
  wakeUps.splice(0);
  await sweep();
  expect(wakeUps).toEqual([]);
  pass(2 * minute);
  // A run without time reaches nothing, and reports for how long the sweep has been due.
  await backlogSweep.run(time.now, Date.now() - 1);
  expect([wakeUps, lags.splice(0)]).toEqual([[], [60]]);
  await Promise.all([sweep(), sweep()]);
  expect(wakeUps).toEqual([{ backlog: backlog.name, delay: 0 }]);
  expect(lags).toEqual([120]);
  // The same once more, as this one is lost too; and not before.
  await sweep();
  pass(minute + 1);
  await sweep();
  expect(wakeUps).toHaveLength(2);
  expect(Math.max(...lags)).toBeCloseTo(180, 0);
  await workBacklog(backlog, work, run());
  expect(await statuses(backlog)).toEqual({ a: 'delivered' });
  expect(backlogSweep.lag).toEqual({ metric: 'BacklogLag', minutes: 5 });
});

test('a full page of backlogs that cannot be woken does not hold up the backlogs after it', async () => {
  const backlog = newBacklog();
  await openEntry(backlog, entry('a'), run());
  const { sweepAt: dueAt = '' } = (await readHead(backlog)).head;
  const noun = 'BACKLOG';
  const { duePk } = dueAcrossAccountsKey({ account: backlog.account, noun, id: backlog.name, at: dueAt });
  // Entries of the same shard in the index that name no backlog, all due before it.
  const names = Array.from({ length: 400 }, (_, n) => `none-${n}`);
  const unknown = names.flatMap((id, n) => {
    const place = dueAcrossAccountsKey({
      account: backlog.account,
      noun,
      id,
      at: dueAt.replace(/^..../, '2020'),
    });
    return place.duePk === duePk ? [{ pk: `TEST#${n}`, sk: 'TEST', ...place }] : [];
  });
  expect(unknown.length).toBeGreaterThan(25);
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  await putAll(unknown);
  wakeUps.splice(0);
  pass(2 * minute);
  await sweep();
  expect(error.mock.calls.length).toBe(unknown.length);
  expect(wakeUps).toEqual([{ backlog: backlog.name, delay: 0 }]);
  // The lag is that of the entries that could not be woken: they have been due since 2020.
  expect(Math.max(...lags)).toBeGreaterThan((365 * 24 * hour) / 1000);
  await deleteAll(unknown);
  await workBacklog(backlog, workBy(), run());
});

test('a wait of more than fifteen minutes is ended by the sweep, and nothing looks at it before', async () => {
  const [backlog, work] = [newBacklog(), workBy()];
  await openEntry(backlog, entry('a', { due: new Date(time.now.getTime() + 2 * hour) }), run());
  expect(wakeUps).toEqual([]);
  pass(hour);
  await sweep();
  await workBacklog(backlog, work, run());
  expect([wakeUps, work.attempted]).toEqual([[], []]);
  pass(hour + minute);
  await sweep();
  expect(wakeUps).toHaveLength(1);
  await workBacklog(backlog, work, run());
  expect(await statuses(backlog)).toEqual({ a: 'delivered' });
  expect((await readHead(backlog)).head).toEqual({ leases: 1, failures: 0 });
});

test('ten thousand entries or one, a backlog stands once among what is due, and what is due of it costs the sweep of tickets nothing', async () => {
  const backlogs = [newBacklog(), newBacklog()];
  for (const backlog of backlogs)
    for (const id of ['a', 'b', 'c']) await openEntry(backlog, entry(id), run());
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
  for (const backlog of backlogs) await workBacklog(backlog, workBy(), run());
});
