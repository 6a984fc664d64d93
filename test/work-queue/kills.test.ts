import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openEntry } from '../../shared/work-queue/open-entry.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { workBacklog } from '../../shared/work-queue/work-backlog.ts';
import { byChoice, interleave } from '../harness/interleave.ts';
import { runAs } from '../harness/wire.ts';
import {
  entry,
  killedAt,
  minute,
  newBacklog,
  passTwoMinutes,
  run,
  statuses,
  wakeUps,
  workBy,
} from './world.ts';

const kills = ['before', 'after'] as const;

// The metric of every sweep.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => void vi.restoreAllMocks());

/** Nothing is open, and nothing is due any more. */
async function expectDone(backlog: ReturnType<typeof newBacklog>, ids: string[]): Promise<void> {
  expect(await statuses(backlog)).toEqual(Object.fromEntries(ids.map((id) => [id, 'delivered'])));
  const { head, pointers } = await readPointers(backlog, 100);
  expect(pointers).toEqual([]);
  expect([head.due, head.sweepAt, head.lease]).toEqual([undefined, undefined, undefined]);
}

describe.each(kills)('killed %s a request has its effect', (when) => {
  test('whoever opens an entry, and does it again, has it attempted by the sweep, though every wake-up is lost', async () => {
    for (let n = 1; ; n++) {
      const [backlog, work, one] = [newBacklog(), workBy(), entry('a')];
      const killed = await killedAt(n, when, () => openEntry(backlog, one, run()));
      await passTwoMinutes(backlog, work);
      await openEntry(backlog, one, run());
      await passTwoMinutes(backlog, work);
      await expectDone(backlog, ['a']);
      expect(work.attempted).toEqual(['a']);
      if (!killed) break;
      expect(n).toBeLessThan(20);
    }
  });

  test('a worker leaves nothing asleep, though its wake-up never comes again, and attempts nothing thrice', async () => {
    for (let n = 1; ; n++) {
      const [backlog, work] = [newBacklog(), workBy()];
      for (const id of ['a', 'b']) await openEntry(backlog, entry(id), run());
      const killed = await killedAt(n, when, () => workBacklog(backlog, work, run()));
      await passTwoMinutes(backlog, work);
      await expectDone(backlog, ['a', 'b']);
      for (const id of ['a', 'b']) expect(work.attempted.filter((one) => one === id).length).toBeLessThan(3);
      if (!killed) break;
      expect(n).toBeLessThan(30);
    }
  });

  test('a worker that puts an entry off leaves it neither asleep nor due twice', async () => {
    for (let n = 1; ; n++) {
      const backlog = newBacklog();
      const work = workBy(({ attempts }, { now }) =>
        attempts.length === 0
          ? { again: new Date(now.getTime() + 2 * minute), attempt: {} }
          : { status: 'delivered', attempt: {} },
      );
      await openEntry(backlog, entry('a'), run());
      const killed = await killedAt(n, when, () => workBacklog(backlog, work, run()));
      await passTwoMinutes(backlog, work, 3);
      await expectDone(backlog, ['a']);
      expect(work.attempted.length).toBeLessThan(4);
      if (!killed) break;
      expect(n).toBeLessThan(30);
    }
  });
});

// Whatever the order of requests, an entry is attempted once, though every later wake-up is lost.
test('a wake-up as a worker lets go is not lost', async () => {
  const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(choices, async (picks) => {
      const [backlog, work] = [newBacklog(), workBy()];
      await openEntry(backlog, entry('a'), run());
      const as = (functionName: string, act: () => Promise<unknown>) => () => runAs({ functionName }, act);
      await interleave<unknown>(
        [
          as('worker', () => workBacklog(backlog, work, run())),
          as('opener', () => openEntry(backlog, entry('b'), run())),
          as('another worker', () => workBacklog(backlog, work, run())),
          as('another opener', () => openEntry(backlog, entry('c'), run())),
        ],
        byChoice(picks),
      );
      wakeUps.splice(0);
      await passTwoMinutes(backlog, work);
      await expectDone(backlog, ['a', 'b', 'c']);
      expect([...work.attempted].sort()).toEqual(['a', 'b', 'c']);
      expect(work.most).toBeLessThan(6);
    }),
    { numRuns: 25 },
  );
});
