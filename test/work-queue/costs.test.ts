import { expect, test } from 'vitest';
import { enqueue } from '../../shared/work-queue/enqueue.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { measure } from '../costs/meter.ts';
import { runAs } from '../harness/wire.ts';
import { newWorkQueue, run, statuses, triggers, workBy, workItem } from './world.ts';

const counted = (act: () => Promise<unknown>) => measure(() => runAs({ functionName: 'a worker' }, act));

test('a lone work item is opened, attempted and done for 9 units written and 4 read', async () => {
  const [workQueue, work] = [newWorkQueue(), workBy()];
  const opened = await counted(() => enqueue(workQueue, workItem('a'), run()));
  const worked = await counted(() => runWorkQueue(workQueue, work, run()));
  expect([opened.write, opened.read, worked.write, worked.read]).toEqual([4, 1, 5, 3]);
  expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
});

test('a work item of a burst of 100 is written less than 4.5 units for, and the trigger messages that came too late none', async () => {
  const [workQueue, work] = [newWorkQueue(), workBy()];
  const ids = Array.from({ length: 100 }, (_, n) => String(n).padStart(3, '0'));
  const opened = await counted(async () => {
    for (const id of ids) await enqueue(workQueue, workItem(id), run());
  });
  expect(triggers).toHaveLength(100);
  const worked = await counted(() => runWorkQueue(workQueue, work, run()));
  expect(new Set(Object.values(await statuses(workQueue)))).toEqual(new Set(['delivered']));
  expect((opened.write + worked.write) / 100).toBeLessThan(4.5);
  const late = await counted(() => runWorkQueue(workQueue, work, run()));
  expect([late.write, late.read]).toEqual([0, 1]);
});
