import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startScheduleClock } from '../../infra/local/schedule-clock.ts';

/** Returns a function whose runs end only when the test calls the functions in `ends`. */
function held() {
  const ends: (() => void)[] = [];
  let begun = () => {};
  return {
    ends,
    /** Resolves when this number of runs has started. */
    async runs(count: number) {
      while (ends.length < count) await new Promise<void>((resolve) => (begun = resolve));
    },
    invoke: () =>
      new Promise<void>((end) => {
        ends.push(end);
        begun();
      }),
  };
}

test('a schedule runs immediately and then repeatedly, and never twice at the same time', async () => {
  const { ends, runs, invoke } = held();
  const clock = startScheduleClock([{ name: 'slow', every: 1, invoke }]);
  await runs(1);
  // Waits for many intervals.
  await setTimeout(30);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await runs(2);
  const stopped = clock.stop();
  ends[1]?.();
  await stopped;
  expect(ends).toHaveLength(2);
});

test('a schedule waits for its interval without delaying other schedules, and a stop ends the wait', async () => {
  const [one, other] = [held(), held()];
  const clock = startScheduleClock([
    { name: 'one', every: 60_000, invoke: one.invoke },
    { name: 'other', every: 1, invoke: other.invoke },
  ]);
  await Promise.all([one.runs(1), other.runs(1)]);
  other.ends[0]?.();
  await other.runs(2);
  for (const end of [...one.ends, ...other.ends]) end();
  await clock.stop();
  expect(one.ends).toHaveLength(1);
});

test('a stop waits for the current run, and no other run starts', async () => {
  const { ends, runs, invoke } = held();
  const clock = startScheduleClock([{ name: 'last', every: 1, invoke }]);
  await runs(1);
  let stopped = false;
  const stopping = clock.stop().then(() => {
    stopped = true;
  });
  await setTimeout(5);
  expect(stopped).toBe(false);
  ends[0]?.();
  await stopping;
  expect(ends).toHaveLength(1);
});

test('a schedule that fails logs one line and runs again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const { ends, runs, invoke } = held();
  let failures = 0;
  const clock = startScheduleClock([
    {
      name: 'sla-sweep',
      every: 1,
      invoke: async () => (failures++ === 0 ? Promise.reject(new Error('no connection')) : invoke()),
    },
  ]);
  await runs(1);
  ends[0]?.();
  const stopped = clock.stop();
  for (const end of ends) end();
  await stopped;
  expect(logged.mock.calls).toEqual([['The schedule sla-sweep failed: no connection']]);
});

test('runNow waits for a run in progress, or starts a run if there is none, and returns the result of the run', async () => {
  const { ends, runs, invoke } = held();
  const clock = startScheduleClock([{ name: 'hourly', every: 3_600_000, invoke }]);
  await runs(1);
  expect(clock.states()).toEqual([{ name: 'hourly', every: 3_600_000, runningSince: expect.any(Date) }]);
  const joined = clock.runNow('hourly');
  expect(ends).toHaveLength(1);
  ends[0]?.();
  const first = await joined;
  expect(clock.states()).toEqual([{ name: 'hourly', every: 3_600_000, lastRun: first }]);

  const second = clock.runNow('hourly');
  await runs(2);
  // A stop waits for a requested run.
  let stopped = false;
  const stopping = clock.stop().then(() => {
    stopped = true;
  });
  await setTimeout(5);
  expect(stopped).toBe(false);
  ends[1]?.();
  await stopping;
  expect(await second).toMatchObject({ milliseconds: expect.any(Number) });
  expect(clock.runNow('daily')).toBeUndefined();
});
