import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startScheduleClock } from '../../infra/local/schedule-clock.ts';

/** A function whose runs last until the test ends them. */
function held() {
  const ends: (() => void)[] = [];
  let begun = () => {};
  return {
    ends,
    /** Resolves when so many runs have begun. */
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

test('a schedule runs at once and then again and again, and never while it still runs', async () => {
  const { ends, runs, invoke } = held();
  const clock = startScheduleClock([{ name: 'slow', every: 1, invoke }]);
  await runs(1);
  // Many times as long as it is from one run to the next.
  await setTimeout(30);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await runs(2);
  const stopped = clock.stop();
  ends[1]?.();
  await stopped;
  expect(ends).toHaveLength(2);
});

test('a schedule waits for its minute, holds up no other, and its wait ends with the clock', async () => {
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

test('a clock that stops waits for the run in hand, and begins no other', async () => {
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

test('a schedule that fails says so in one sentence and runs again', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const { ends, runs, invoke } = held();
  let failures = 0;
  const clock = startScheduleClock([
    {
      name: 'sla-sweep',
      every: 1,
      invoke: async () => (failures++ === 0 ? Promise.reject(new Error('the table is away')) : invoke()),
    },
  ]);
  await runs(1);
  ends[0]?.();
  const stopped = clock.stop();
  for (const end of ends) end();
  await stopped;
  expect(said.mock.calls).toEqual([['The schedule sla-sweep failed: the table is away']]);
});
