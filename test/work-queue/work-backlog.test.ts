import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { commit } from '../../shared/events/outbox.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import type { Write } from '../../shared/table/operations.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import { entryItem, newEntry } from '../../shared/work-queue/entry.ts';
import { entriesOf, findEntry, getEntry, waitingOf } from '../../shared/work-queue/list-entries.ts';
import {
  attemptedOnce,
  backlogCalled,
  entryOpened,
  entryOpenedAnew,
  openEntry,
} from '../../shared/work-queue/open-entry.ts';
import { readHead, readPointers } from '../../shared/work-queue/store.ts';
import { workBacklog } from '../../shared/work-queue/work-backlog.ts';
import { scanTable } from '../harness/raw-table.ts';
import {
  entry,
  hour,
  minute,
  newBacklog,
  pass,
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
    pass(2 * hour);
    expect((await list().newest({})).items.map(({ id }) => id)).toEqual(['3', '2', '1']);
    expect([await list().total(), await findEntry(backlog, '4', time.now)]).toEqual([3, undefined]);
  });

  test('entries are counted up to 24 MB of them, so that large ones keep nobody waiting for a total', async () => {
    const backlog = newBacklog();
    const items = Array.from({ length: 80 }, (_, n) =>
      entryItem(backlog, newEntry(entry(String(n), { content: { text: 'x'.repeat(350_000) } }), time.now)),
    );
    expect(await putAll(items)).toEqual([]);
    const total = await entriesOf(backlog, time.now).total();
    expect(total).toBeGreaterThan(60);
    expect(total).toBeLessThan(80);
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

describe('a backlog', () => {
  const failing = (now: Date) => ({
    again: new Date(now.getTime() + 10 * minute),
    attempt: { error: '500' },
  });

  test('after five failures in a row there is one attempt a minute, the oldest due first, until one succeeds', async () => {
    const backlog = newBacklog();
    let down = true;
    const work = workBy((_, { now }) => (down ? failing(now) : { status: 'delivered', attempt: {} }));
    const ids = Array.from({ length: 12 }, (_, n) => String(n).padStart(2, '0'));
    for (const [n, id] of ids.entries())
      await openEntry(backlog, entry(id, { due: new Date(time.now.getTime() - hour + n * second) }), run());
    await workBacklog(backlog, work, run());
    expect([...work.attempted].sort()).toEqual(ids.slice(0, 5));
    expect(await waitingOf(backlog)).toMatchObject({ waiting: 12 });
    // Whatever wakes it meanwhile, and whoever opens another one.
    await workBacklog(backlog, work, run());
    await openEntry(backlog, entry('99'), run());
    await workBacklog(backlog, work, run());
    expect(work.attempted).toHaveLength(5);
    const untilItMayGoOn = async () => {
      const { pausedUntil = '' } = (await readHead(backlog)).head;
      expect(Date.parse(pausedUntil) - time.now.getTime()).toBeGreaterThanOrEqual(minute);
      time.now = new Date(pausedUntil);
    };
    for (const next of ['05', '06']) {
      await untilItMayGoOn();
      work.attempted.splice(0);
      await workBacklog(backlog, work, run());
      expect(work.attempted).toEqual([next]);
    }
    down = false;
    await untilItMayGoOn();
    work.attempted.splice(0);
    await workBacklog(backlog, work, run());
    expect([...work.attempted].sort()).toEqual(['07', '08', '09', '10', '11', '99']);
    expect((await readHead(backlog)).head.failures).toBe(0);
  });

  test('failures that are their own fault slow no other down', async () => {
    const backlog = newBacklog();
    const work = workBy(() => ({ status: 'failed', ownFault: true, attempt: {} }));
    const ids = Array.from({ length: 9 }, (_, n) => String(n));
    for (const id of ids) await openEntry(backlog, entry(id), run());
    await workBacklog(backlog, work, run());
    expect([...work.attempted].sort()).toEqual(ids);
  });

  test('a pause that the receiver asks for holds all of the backlog but what somebody asks for, and nothing wakes it', async () => {
    const backlog = newBacklog();
    const until = new Date(time.now.getTime() + 2 * hour);
    const work = workBy((_, { now }) =>
      work.attempted.length === 1 ? { ...failing(now), pauseBacklogUntil: until } : { status: 'delivered' },
    );
    await openEntry(backlog, entry('a'), run());
    await workBacklog(backlog, work, run());
    wakeUps.splice(0);
    await openEntry(backlog, entry('b'), run());
    await workBacklog(backlog, work, run());
    pass(hour);
    await workBacklog(backlog, work, run());
    expect([work.attempted, wakeUps]).toEqual([['a'], []]);
    // But for one attempt that somebody asks for.
    await openEntry(backlog, entry('c'), run());
    const asked = await getEntry(backlog, 'c', time.now);
    await commit({
      writes: attemptedOnce(backlog, asked, time.now),
      events: [],
      deadline: Date.now() + minute,
    });
    await workBacklog(backlog, work, run());
    await workBacklog(backlog, work, run());
    expect(work.attempted).toEqual(['a', 'c']);
    expect(await statuses(backlog)).toEqual({ a: 'waiting', b: 'waiting', c: 'delivered' });
    time.now = until;
    await workBacklog(backlog, work, run());
    expect(await statuses(backlog)).toEqual({ a: 'delivered', b: 'delivered', c: 'delivered' });
  });

  test('cancelling a backlog cancels what is open, due or not, and attempts nothing', async () => {
    const [backlog, work] = [newBacklog(), workBy()];
    await openEntry(backlog, entry('done'), run());
    await workBacklog(backlog, work, run());
    for (let n = 0; n < 30; n++)
      await openEntry(
        backlog,
        entry(`${10 + n}`, { due: new Date(time.now.getTime() + (n % 3) * hour) }),
        run(),
      );
    await commit({ writes: backlogCalled(backlog, time.now), events: [], deadline: Date.now() + minute });
    await workBacklog(backlog, { ...work, prepare: async () => 'cancel all' }, run());
    expect(work.attempted).toEqual(['done']);
    const { done, ...others } = await statuses(backlog);
    expect([done, new Set(Object.values(others)), Object.keys(others).length]).toEqual([
      'delivered',
      new Set(['cancelled']),
      30,
    ]);
    expect(await waitingOf(backlog)).toEqual({ waiting: 0 });
  });

  test('work that may not be done now is asked again within a quarter of an hour, or as soon as it is called', async () => {
    const [backlog, work] = [newBacklog(), workBy()];
    const notNow = { ...work, prepare: async () => 'nothing may be done' as const };
    await openEntry(backlog, entry('a'), run());
    await workBacklog(backlog, notNow, run());
    expect(wakeUps.at(-1)?.delay).toBeGreaterThan(14 * 60);
    await workBacklog(backlog, work, run());
    expect(work.attempted).toEqual([]);
    pass(16 * minute);
    await workBacklog(backlog, work, run());
    expect(await statuses(backlog)).toEqual({ a: 'delivered' });
    await openEntry(backlog, entry('b'), run());
    await workBacklog(backlog, notNow, run());
    await commit({ writes: backlogCalled(backlog, time.now), events: [], deadline: Date.now() + minute });
    await workBacklog(backlog, work, run());
    expect(await statuses(backlog)).toEqual({ a: 'delivered', b: 'delivered' });
  });

  test('one attempt beside the schedule leaves the schedule as it is, unless it delivers', async () => {
    const backlog = newBacklog();
    let down = true;
    const onces: boolean[] = [];
    const work = workBy((_, { now, once }) => {
      onces.push(once);
      return down ? failing(now) : { status: 'delivered', attempt: {} };
    });
    const attemptOnce = async () => {
      const one = await getEntry(backlog, 'a', time.now);
      await commit({
        writes: attemptedOnce(backlog, one, time.now),
        events: [],
        deadline: Date.now() + minute,
      });
      await workBacklog(backlog, work, run());
      return getEntry(backlog, 'a', time.now);
    };
    await openEntry(backlog, entry('a'), run());
    await workBacklog(backlog, work, run());
    const before = await getEntry(backlog, 'a', time.now);
    pass(minute);
    expect(await attemptOnce()).toMatchObject({
      status: 'waiting',
      due: before.due,
      attempts: [{}, { once: true }],
    });
    down = false;
    pass(minute);
    const delivered = await attemptOnce();
    expect([delivered.status, delivered.due]).toEqual(['delivered', undefined]);
    down = true;
    pass(minute);
    expect(await attemptOnce()).toMatchObject({ status: 'delivered', attempts: [{}, {}, {}, { number: 4 }] });
    expect(onces).toEqual([false, true, true, true]);
    expect((await readPointers(backlog, 9)).pointers).toEqual([]);
    pass(hour);
    await workBacklog(backlog, work, run());
    expect(onces).toHaveLength(4);
  });

  test('an endpoint opens an entry in its transaction, and another one instead of it', async () => {
    const [backlog, work] = [newBacklog(), workBy()];
    const write = (writes: Write[]) => commit({ writes, events: [], deadline: Date.now() + minute });
    await write(entryOpened(backlog, entry('a'), time.now));
    await expect(write(entryOpened(backlog, entry('a'), time.now))).rejects.toThrow(VersionConflict);
    await write(entryOpenedAnew(backlog, entry('a', { content: { text: 'anew' } }), time.now));
    await workBacklog(backlog, work, run());
    expect(work.attempted).toEqual(['a']);
    await write(entryOpenedAnew(backlog, entry('a'), time.now));
    await workBacklog(backlog, work, run());
    expect(work.attempted).toEqual(['a', 'a']);
    const left = (await scanTable()).filter(
      ({ pk, type }) => pk.includes(backlog.account) && type === 'wake',
    );
    expect(left.map(({ queue, backlog }) => [queue, backlog])).toEqual(
      Array.from({ length: 3 }, () => ['deliveries', backlog.name]),
    );
  });

  test('long work keeps its cursor in its entry, and goes on with it after a crash', async () => {
    const backlog = newBacklog();
    const seen: string[] = [];
    const work = workBy(({ content: { text } }, { now }) => {
      seen.push(text);
      if (text === 'xxx' && seen.length === 4) throw new Error('a crash');
      return text.length < 6 ? { content: { text: `${text}x` }, again: now } : { status: 'delivered' };
    });
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    await openEntry(backlog, entry('a', { content: { text: '' } }), run());
    await workBacklog(backlog, work, run());
    pass(2 * minute);
    await workBacklog(backlog, work, run());
    errors.mockRestore();
    expect(seen).toEqual(['', 'x', 'xx', 'xxx', 'xxx', 'xxxx', 'xxxxx', 'xxxxxx']);
    expect(await statuses(backlog)).toEqual({ a: 'delivered' });
  });
});

describe('a lease', () => {
  /** Work whose attempts last until `end` is called, and then fail. */
  const heldWork = () => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = workBy(async () => {
      await held;
      return { status: 'failed', attempt: { error: 'by the worker that lost the lease' } };
    });
    return { work, end, begun: () => vi.waitUntil(() => work.attempted.length > 0, { interval: 1 }) };
  };

  test('a worker that has lost the lease begins and writes nothing more while other entries are due', async () => {
    const backlog = newBacklog();
    const { work, end, begun } = heldWork();
    const began = time.now;
    await openEntry(backlog, entry('a'), run());
    const lost = workBacklog(backlog, work, run());
    await begun();
    // A wake-up within the lease only marks it.
    const other = workBy();
    await workBacklog(backlog, other, run());
    expect(other.attempted).toEqual([]);
    pass(61 * second);
    await workBacklog(backlog, other, run());
    expect(await findEntry(backlog, 'a', time.now)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1 }],
    });
    // Due by the clock of the first worker too.
    await openEntry(backlog, entry('b', { due: began }), run());
    const stored = await scanTable();
    end();
    await lost;
    expect(work.attempted).toEqual(['a']);
    expect(await scanTable()).toEqual(stored);
  });

  test('an attempt that ends after the lease has no recorded outcome', async () => {
    const backlog = newBacklog();
    const { work, end, begun } = heldWork();
    await openEntry(backlog, entry('a'), run());
    const late = workBacklog(backlog, work, run(120));
    await begun();
    const realNow = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 60 * second);
    onTestFinished(() => void vi.restoreAllMocks());
    end();
    await late;
    expect(await findEntry(backlog, 'a', time.now)).toMatchObject({ status: 'waiting', attempts: [] });
  });

  test('an entry is not written past the deadline of its run', async () => {
    const backlog = newBacklog();
    await expect(openEntry(backlog, entry('a'), run(0))).rejects.toMatchObject({ code: 'busy' });
    expect(await findEntry(backlog, 'a', time.now)).toBeUndefined();
  });

  test('an attempt that is due again at its own instant is recorded', async () => {
    const backlog = newBacklog();
    const { now: due } = time;
    const work = workBy(({ attempts }) =>
      attempts.length === 0
        ? { again: due, attempt: { error: 'the first' } }
        : { status: 'delivered', attempt: {} },
    );
    await openEntry(backlog, entry('a'), run());
    await workBacklog(backlog, work, run());
    pass(second);
    await workBacklog(backlog, work, run());
    expect(await findEntry(backlog, 'a', time.now)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1, error: 'the first' }, { number: 2 }],
    });
  });

  test('no attempt begins that could outlast the time there is: the backlog is woken for another run', async () => {
    const [backlog, work] = [newBacklog(), workBy()];
    await openEntry(backlog, entry('a'), run());
    await workBacklog(backlog, work, run(18));
    expect([work.attempted, wakeUps.length]).toEqual([[], 2]);
    await workBacklog(backlog, work, run());
    expect(await statuses(backlog)).toEqual({ a: 'delivered' });
  });

  test('an attempt is told to end before its time is over, and comes again where it does', async () => {
    const backlog = newBacklog();
    const work = workBy(async (_, { signal, now }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { again: new Date(now.getTime() + minute), attempt: { error: 'timeout' } };
    });
    await openEntry(backlog, entry('a'), run());
    await workBacklog(backlog, { ...work, longest: 0 }, run(6));
    expect(await findEntry(backlog, 'a', time.now)).toMatchObject({
      status: 'waiting',
      attempts: [{ error: 'timeout' }],
    });
    expect((await readHead(backlog)).head.lease).toBeUndefined();
  });
});
