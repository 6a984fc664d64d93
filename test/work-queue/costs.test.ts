import { expect, test } from 'vitest';
import { openEntry } from '../../shared/work-queue/open-entry.ts';
import { workBacklog } from '../../shared/work-queue/work-backlog.ts';
import { measure } from '../costs/meter.ts';
import { runAs } from '../harness/wire.ts';
import { entry, newBacklog, run, statuses, wakeUps, workBy } from './world.ts';

const counted = (act: () => Promise<unknown>) => measure(() => runAs({ functionName: 'a worker' }, act));

test('a lone entry is opened, attempted and done for 9 units written and 4 read', async () => {
  const [backlog, work] = [newBacklog(), workBy()];
  const opened = await counted(() => openEntry(backlog, entry('a'), run()));
  const worked = await counted(() => workBacklog(backlog, work, run()));
  expect([opened.write, opened.read, worked.write, worked.read]).toEqual([4, 1, 5, 3]);
  expect(await statuses(backlog)).toEqual({ a: 'delivered' });
});

test('an entry of a burst of 100 is written less than 4.5 units for, and the wake-ups that came too late none', async () => {
  const [backlog, work] = [newBacklog(), workBy()];
  const ids = Array.from({ length: 100 }, (_, n) => String(n).padStart(3, '0'));
  const opened = await counted(async () => {
    for (const id of ids) await openEntry(backlog, entry(id), run());
  });
  expect(wakeUps).toHaveLength(100);
  const worked = await counted(() => workBacklog(backlog, work, run()));
  expect(new Set(Object.values(await statuses(backlog)))).toEqual(new Set(['delivered']));
  expect((opened.write + worked.write) / 100).toBeLessThan(4.5);
  const late = await counted(() => workBacklog(backlog, work, run()));
  expect([late.write, late.read]).toEqual([0, 1]);
});
