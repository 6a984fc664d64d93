import { expect, test } from 'vitest';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { measureUnits } from '../costs/meter.ts';
import { runAs } from '../harness/wire.ts';
import { add, handlerBy, newWorkQueue, run, statuses, triggers } from './world.ts';

const counted = (act: () => Promise<unknown>) => measureUnits(() => runAs({ functionName: 'a worker' }, act));

test('a single work item is added, attempted and completed for 9 write and 4 read units', async () => {
  const [workQueue, work] = [newWorkQueue(), handlerBy()];
  const opened = await counted(() => add(workQueue, 'a'));
  const worked = await counted(() => runWorkQueue(workQueue, work, run()));
  expect([opened.write, opened.read, worked.write, worked.read]).toEqual([4, 1, 5, 3]);
  expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
});

test('a work item of a burst of 40 costs less than 4.5 write units, and its late trigger messages none', async () => {
  const [workQueue, work] = [newWorkQueue(), handlerBy()];
  const ids = Array.from({ length: 40 }, (_, n) => String(n).padStart(3, '0'));
  const opened = await counted(async () => {
    for (const id of ids) await add(workQueue, id);
  });
  expect(triggers).toHaveLength(40);
  const worked = await counted(() => runWorkQueue(workQueue, work, run()));
  expect(new Set(Object.values(await statuses(workQueue)))).toEqual(new Set(['delivered']));
  expect((opened.write + worked.write) / 40).toBeLessThan(4.5);
  const late = await counted(() => runWorkQueue(workQueue, work, run()));
  expect([late.write, late.read]).toEqual([0, 1]);
});
