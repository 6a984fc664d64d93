import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enqueue } from '../../shared/work-queue/enqueue.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { runs, workerKillStep } from '../harness/heavy.ts';
import { byChoice, interleave } from '../harness/interleave.ts';
import { firstKill } from '../harness/kill.ts';
import { runAs } from '../harness/wire.ts';
import {
  add,
  handlerBy,
  killedAt,
  minute,
  newWorkQueue,
  passTwoMinutes,
  run,
  statuses,
  triggers,
  workItem,
} from './world.ts';

const kills = ['before', 'after'] as const;

// Hides the metric that every sweep logs.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => void vi.restoreAllMocks());

/** Expects that all items are delivered and nothing is due. */
async function expectDone(workQueue: ReturnType<typeof newWorkQueue>, ids: string[]): Promise<void> {
  expect(await statuses(workQueue)).toEqual(Object.fromEntries(ids.map((id) => [id, 'delivered'])));
  const { state, pointers } = await readPointers(workQueue, 100);
  expect(pointers).toEqual([]);
  expect([state.due, state.sweepAt, state.lease]).toEqual([undefined, undefined, undefined]);
}

describe.each(kills)('if a function is killed %s a request takes effect', (when) => {
  test('an item that is enqueued again is attempted once, even if every trigger message is lost', async () => {
    for (let n = firstKill(when, workerKillStep); ; n += workerKillStep) {
      const [workQueue, work, one] = [newWorkQueue(), handlerBy(), workItem('a')];
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

  test('all items are completed with at most two attempts each, even if the trigger message is lost', async () => {
    for (let n = firstKill(when, workerKillStep); ; n += workerKillStep) {
      const [workQueue, work] = [newWorkQueue(), handlerBy()];
      for (const id of ['a', 'b']) await add(workQueue, id);
      const killed = await killedAt(n, when, () => runWorkQueue(workQueue, work, run()));
      await passTwoMinutes(workQueue, work);
      await expectDone(workQueue, ['a', 'b']);
      for (const id of ['a', 'b']) expect(work.attempted.filter((one) => one === id).length).toBeLessThan(3);
      if (!killed) break;
      expect(n).toBeLessThan(30);
    }
  });

  test('an item that is postponed once is completed with at most three attempts', async () => {
    for (let n = firstKill(when, workerKillStep); ; n += workerKillStep) {
      const workQueue = newWorkQueue();
      const work = handlerBy(({ attempts }, { now }) =>
        attempts.length === 0
          ? { again: new Date(now.getTime() + 2 * minute), attempt: {} }
          : { status: 'delivered', attempt: {} },
      );
      await add(workQueue, 'a');
      const killed = await killedAt(n, when, () => runWorkQueue(workQueue, work, run()));
      await passTwoMinutes(workQueue, work, 3);
      await expectDone(workQueue, ['a']);
      expect(work.attempted.length).toBeLessThan(4);
      if (!killed) break;
      expect(n).toBeLessThan(30);
    }
  });
});

// For any order of requests, each work item is attempted once, even if all trigger messages after these
// requests are lost.
test('a trigger message that arrives while a worker releases its lease is not lost', async () => {
  const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(choices, async (picks) => {
      const [workQueue, work] = [newWorkQueue(), handlerBy()];
      await add(workQueue, 'a');
      const as = (functionName: string, act: () => Promise<unknown>) => () => runAs({ functionName }, act);
      await interleave<unknown>(
        [
          as('worker', () => runWorkQueue(workQueue, work, run())),
          as('opener', () => add(workQueue, 'b')),
          as('another worker', () => runWorkQueue(workQueue, work, run())),
          as('another opener', () => add(workQueue, 'c')),
        ],
        byChoice(picks),
      );
      triggers.splice(0);
      await passTwoMinutes(workQueue, work);
      await expectDone(workQueue, ['a', 'b', 'c']);
      expect([...work.attempted].sort()).toEqual(['a', 'b', 'c']);
      expect(work.most).toBeLessThan(6);
    }),
    { numRuns: 12 * runs },
  );
});
