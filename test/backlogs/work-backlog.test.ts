import { describe, expect, test } from 'vitest';
import { entriesOf, findEntry, waitingOf } from '../../shared/backlogs/list-entries.ts';
import { openEntry } from '../../shared/backlogs/open-entry.ts';
import { readHead, readPointers } from '../../shared/backlogs/store.ts';
import { workBacklog } from '../../shared/backlogs/work-backlog.ts';
import {
  after,
  entry,
  hour,
  minute,
  newBacklog,
  run,
  second,
  statuses,
  time,
  wakeUps,
  workBy,
} from './world.ts';

const instant = (milliseconds = 0) => new Date(time.now.getTime() + milliseconds).toISOString();

describe('an entry', () => {
  test('an entry that is opened is attempted by the wake-up, once, and stays on record', async () => {
    const [backlog, work] = [newBacklog(), workBy()];
    expect(await openEntry(backlog, entry('a'), run())).toBe(true);
    expect(wakeUps).toEqual([{ backlog: backlog.name, delay: 0 }]);
    expect(await waitingOf(backlog)).toEqual({ waiting: 1, oldestWaitingAt: instant() });
    await workBacklog(backlog, work, run());
    await workBacklog(backlog, work, run());
    expect(work.attempted).toEqual(['a']);
    expect(await waitingOf(backlog)).toEqual({ waiting: 0 });
    expect(await findEntry(backlog, 'a', time.now)).toMatchObject({
      status: 'delivered',
      content: { text: 'a' },
      attempts: [{ number: 1, at: expect.any(String) }],
    });
    expect((await readHead(backlog)).head).toEqual({ leases: 1, failures: 0 });
  });

  test('an entry that is opened again is the same one, and is not attempted again', async () => {
    const [backlog, work] = [newBacklog(), workBy()];
    const one = entry('a');
    expect([await openEntry(backlog, one, run()), await openEntry(backlog, one, run())]).toEqual([
      true,
      false,
    ]);
    await workBacklog(backlog, work, run());
    expect(await openEntry(backlog, one, run())).toBe(false);
    await workBacklog(backlog, work, run());
    expect(work.attempted).toEqual(['a']);
    expect((await readPointers(backlog, 10)).pointers).toEqual([]);
  });

  test('entries are listed newest first by their ids, and those that have expired are left out', async () => {
    const backlog = newBacklog();
    for (const id of ['1', '3', '2']) await openEntry(backlog, entry(id), run());
    await openEntry(backlog, entry('4', { expires: new Date(time.now.getTime() + hour) }), run());
    const list = () => entriesOf(backlog, time.now);
    expect((await list().newest({ limit: 2 })).items.map(({ id }) => id)).toEqual(['4', '3']);
    expect(await list().total()).toBe(4);
    after(2 * hour);
    expect((await list().newest({})).items.map(({ id }) => id)).toEqual(['3', '2', '1']);
    expect([await list().total(), await findEntry(backlog, '4', time.now)]).toEqual([3, undefined]);
  });

  test('an entry comes again when its work says so, by a delayed wake-up up to 15 minutes and by the sweep beyond', async () => {
    const waits = [30 * second, 5 * minute, 2 * hour];
    const backlog = newBacklog();
    const work = workBy(({ attempts }, { now }) => {
      const wait = waits[attempts.length];
      const attempt = { error: 'refused' };
      return wait === undefined
        ? { status: 'failed', attempt }
        : { again: new Date(now.getTime() + wait), attempt };
    });
    await openEntry(backlog, entry('a'), run());
    for (const wait of waits) {
      wakeUps.splice(0);
      await workBacklog(backlog, work, run());
      const due = Date.parse((await readHead(backlog)).head.due ?? '');
      expect(due - time.now.getTime()).toBeGreaterThanOrEqual(wait);
      expect(wakeUps.length).toBe(wait < 15 * minute ? 1 : 0);
      for (const { delay } of wakeUps) expect(delay * second).toBeLessThanOrEqual(wait + second);
      // Too early: nothing happens.
      const attempts = work.attempted.length;
      await workBacklog(backlog, work, run());
      expect(work.attempted.length).toBe(attempts);
      time.now = new Date(due);
    }
    await workBacklog(backlog, work, run());
    expect(await statuses(backlog)).toEqual({ a: 'failed' });
    expect((await findEntry(backlog, 'a', time.now))?.attempts.map(({ number }) => number)).toEqual([
      1, 2, 3, 4,
    ]);
  });
});

test('never are more than five attempts in flight, and all of a burst are made in one run', async () => {
  const backlog = newBacklog();
  const work = workBy(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return { status: 'delivered' };
  });
  const ids = Array.from({ length: 43 }, (_, n) => String(n).padStart(3, '0'));
  await Promise.all(ids.map((id) => openEntry(backlog, entry(id), run())));
  await workBacklog(backlog, work, run());
  expect([...work.attempted].sort()).toEqual(ids);
  expect(work.most).toBe(5);
});
