import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enqueue } from '../../shared/work-queue/enqueue.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { byChoice, interleave } from '../harness/interleave.ts';
import { runAs } from '../harness/wire.ts';
import {
  killedAt,
  minute,
  newWorkQueue,
  passTwoMinutes,
  run,
  statuses,
  triggers,
  workBy,
  workItem,
} from './world.ts';

const kills = ['before', 'after'] as const;

// The metric of every sweep.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => void vi.restoreAllMocks());

/** Nothing is open, and nothing is due any more. */
async function expectDone(workQueue: ReturnType<typeof newWorkQueue>, ids: string[]): Promise<void> {
  expect(await statuses(workQueue)).toEqual(Object.fromEntries(ids.map((id) => [id, 'delivered'])));
  const { state, pointers } = await readPointers(workQueue, 100);
  expect(pointers).toEqual([]);
  expect([state.due, state.sweepAt, state.lease]).toEqual([undefined, undefined, undefined]);
}

describe.each(kills)('killed %s a request has its effect', (when) => {
  test('whoever opens a work item, and does it again, has it attempted by the sweep, though every trigger message is lost', async () => {
    for (let n = 1; ; n++) {
      const [workQueue, work, one] = [newWorkQueue(), workBy(), workItem('a')];
      const killed = await killedAt(n, when, () => enqueue(workQueue, one, run()));
      await passTwoMinutes(workQueue, work);
      await enqueue(workQueue, one, run());
      await passTwoMinutes(workQueue, work);
      await expectDone(workQueue, ['a']);
      expect(work.attempted).toEqual(['a']);
      if (!killed) break;
      expect(n).toBeLessThan(20);
    }
  });

  test('a worker leaves nothing asleep, though its trigger message never comes again, and attempts nothing thrice', async () => {
    for (let n = 1; ; n++) {
      const [workQueue, work] = [newWorkQueue(), workBy()];
      for (const id of ['a', 'b']) await enqueue(workQueue, workItem(id), run());
      const killed = await killedAt(n, when, () => runWorkQueue(workQueue, work, run()));
      await passTwoMinutes(workQueue, work);
      await expectDone(workQueue, ['a', 'b']);
      for (const id of ['a', 'b']) expect(work.attempted.filter((one) => one === id).length).toBeLessThan(3);
      if (!killed) break;
      expect(n).toBeLessThan(30);
    }
  });

  test('a worker that puts a work item off leaves it neither asleep nor due twice', async () => {
    for (let n = 1; ; n++) {
      const workQueue = newWorkQueue();
      const work = workBy(({ attempts }, { now }) =>
        attempts.length === 0
          ? { again: new Date(now.getTime() + 2 * minute), attempt: {} }
          : { status: 'delivered', attempt: {} },
      );
      await enqueue(workQueue, workItem('a'), run());
      const killed = await killedAt(n, when, () => runWorkQueue(workQueue, work, run()));
      await passTwoMinutes(workQueue, work, 3);
      await expectDone(workQueue, ['a']);
      expect(work.attempted.length).toBeLessThan(4);
      if (!killed) break;
      expect(n).toBeLessThan(30);
    }
  });
});

// Whatever the order of requests, a work item is attempted once, though every later trigger message is lost.
test('a trigger message as a worker lets go is not lost', async () => {
  const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(choices, async (picks) => {
      const [workQueue, work] = [newWorkQueue(), workBy()];
      await enqueue(workQueue, workItem('a'), run());
      const as = (functionName: string, act: () => Promise<unknown>) => () => runAs({ functionName }, act);
      await interleave<unknown>(
        [
          as('worker', () => runWorkQueue(workQueue, work, run())),
          as('opener', () => enqueue(workQueue, workItem('b'), run())),
          as('another worker', () => runWorkQueue(workQueue, work, run())),
          as('another opener', () => enqueue(workQueue, workItem('c'), run())),
        ],
        byChoice(picks),
      );
      triggers.splice(0);
      await passTwoMinutes(workQueue, work);
      await expectDone(workQueue, ['a', 'b', 'c']);
      expect([...work.attempted].sort()).toEqual(['a', 'b', 'c']);
      expect(work.most).toBeLessThan(6);
    }),
    { numRuns: 25 },
  );
});
