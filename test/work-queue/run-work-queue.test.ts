import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { putAll } from '../../shared/table/batch-write.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import {
  attemptOnceWrites,
  enqueue,
  enqueueWrites,
  markDueWrites,
  replaceWrites,
} from '../../shared/work-queue/enqueue.ts';
import {
  findWorkItem,
  getWorkItem,
  waitingOf,
  workItemsOf,
} from '../../shared/work-queue/list-work-items.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { readPointers, readWorkQueueState } from '../../shared/work-queue/store.ts';
import { newWorkItem, workItemRecord } from '../../shared/work-queue/work-item.ts';
import {
  emptyState,
  isLeased,
  longestDelay,
  nextStart,
  onTrigger,
  release,
  requestWork,
  type WorkQueueState,
} from '../../shared/work-queue/work-queue-state.ts';
import { measureUnits } from '../costs/meter.ts';
import { scanTable } from '../harness/raw-table.ts';
import { runAs } from '../harness/wire.ts';
import {
  add,
  handlerBy,
  hour,
  minute,
  newWorkQueue,
  pass,
  run,
  second,
  statuses,
  time,
  triggers,
  workItem,
  write,
} from './world.ts';

const instant = (milliseconds = 0) => new Date(time.now.getTime() + milliseconds).toISOString();

describe('a work item', () => {
  test('an item is attempted once when its trigger message arrives, and its result is stored', async () => {
    const [workQueue, work] = [newWorkQueue(), handlerBy()];
    expect(await add(workQueue, 'a')).toBe(true);
    expect(triggers).toEqual([{ name: workQueue.name, delay: 0 }]);
    expect(await waitingOf(workQueue)).toEqual({ waiting: 1, oldestWaitingAt: instant() });
    await runWorkQueue(workQueue, work, run());
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toEqual(['a']);
    expect(await waitingOf(workQueue)).toEqual({ waiting: 0 });
    expect(await findWorkItem(workQueue, 'a', time.now)).toMatchObject({
      status: 'delivered',
      content: { text: 'a' },
      attempts: [{ number: 1, at: expect.any(String) }],
    });
    expect((await readWorkQueueState(workQueue)).state).toEqual({ leases: 1, failures: 0 });
  });

  test('enqueueing an item again changes nothing and causes no further attempt', async () => {
    const [workQueue, work] = [newWorkQueue(), handlerBy()];
    const one = workItem('a');
    expect([await enqueue(workQueue, one, run()), await enqueue(workQueue, one, run())]).toEqual([
      true,
      false,
    ]);
    await runWorkQueue(workQueue, work, run());
    expect(await enqueue(workQueue, one, run())).toBe(false);
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toEqual(['a']);
    expect((await readPointers(workQueue, 10)).pointers).toEqual([]);
  });

  test('lists contain the unexpired items, largest id first', async () => {
    const workQueue = newWorkQueue();
    for (const id of ['1', '3', '2']) await add(workQueue, id);
    await add(workQueue, '4', { expires: new Date(time.now.getTime() + hour) });
    const list = () => workItemsOf(workQueue, time.now);
    expect((await list().newest({ limit: 2 })).items.map(({ id }) => id)).toEqual(['4', '3']);
    expect(await list().total()).toBe(4);
    pass(2 * hour);
    expect((await list().newest({})).items.map(({ id }) => id)).toEqual(['3', '2', '1']);
    expect([await list().total(), await findWorkItem(workQueue, '4', time.now)]).toEqual([3, undefined]);
  });

  test('a delayed trigger message starts a retry that is due within 15 minutes, and the sweep starts a later retry', async () => {
    const waits = [30 * second, 5 * minute, 2 * hour];
    const workQueue = newWorkQueue();
    const work = handlerBy(({ attempts }, { now }) => {
      const wait = waits[attempts.length];
      const attempt = { error: 'refused' };
      return wait === undefined
        ? { status: 'failed', attempt }
        : { again: new Date(now.getTime() + wait), attempt };
    });
    await add(workQueue, 'a');
    for (const wait of waits) {
      triggers.splice(0);
      await runWorkQueue(workQueue, work, run());
      const due = Date.parse((await readWorkQueueState(workQueue)).state.due ?? '');
      expect(due - time.now.getTime()).toBeGreaterThanOrEqual(wait);
      expect(triggers.length).toBe(wait < 15 * minute ? 1 : 0);
      for (const { delay } of triggers) expect(delay * second).toBeLessThanOrEqual(wait + second);
      // A run before the due time attempts nothing.
      const attempts = work.attempted.length;
      await runWorkQueue(workQueue, work, run());
      expect(work.attempted.length).toBe(attempts);
      time.now = new Date(due);
    }
    await runWorkQueue(workQueue, work, run());
    expect(await statuses(workQueue)).toEqual({ a: 'failed' });
    expect((await findWorkItem(workQueue, 'a', time.now))?.attempts.map(({ number }) => number)).toEqual([
      1, 2, 3, 4,
    ]);
  });
});

test('one run attempts a complete burst, with at most five attempts in flight', async () => {
  const workQueue = newWorkQueue();
  const work = handlerBy(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return { status: 'delivered' };
  });
  const ids = Array.from({ length: 43 }, (_, n) => String(n).padStart(3, '0'));
  await Promise.all(ids.map((id) => add(workQueue, id)));
  await runWorkQueue(workQueue, work, run());
  expect([...work.attempted].sort()).toEqual(ids);
  expect(work.most).toBe(5);
});

describe('a work queue', () => {
  const failing = (now: Date) => ({
    again: new Date(now.getTime() + 10 * minute),
    attempt: { error: '500' },
  });

  test('a pause ends when a user changes the receiver, also during an attempt at the former receiver', async () => {
    for (const during of [true, false]) {
      const workQueue = newWorkQueue();
      let isNew = false;
      const resume = async () => {
        isNew = true;
        await write(markDueWrites(workQueue, time.now, { resumed: true }));
      };
      const work = handlerBy(async (_, { now }) => {
        if (isNew) return { status: 'delivered', attempt: {} };
        if (during) await resume();
        return { ...failing(now), pauseWorkQueueUntil: new Date(now.getTime() + 24 * hour) };
      });
      await add(workQueue, 'a');
      await runWorkQueue(workQueue, work, run());
      if (!during) await resume();
      await add(workQueue, 'b');
      await runWorkQueue(workQueue, work, run());
      expect(await statuses(workQueue)).toEqual({ a: 'waiting', b: 'delivered' });
    }
  });

  test('after five consecutive failures, only one attempt a minute is made until an attempt succeeds', async () => {
    const workQueue = newWorkQueue();
    let down = true;
    const work = handlerBy((_, { now }) => (down ? failing(now) : { status: 'delivered', attempt: {} }));
    const ids = Array.from({ length: 12 }, (_, n) => String(n).padStart(2, '0'));
    for (const [n, id] of ids.entries())
      await add(workQueue, id, { due: new Date(time.now.getTime() - hour + n * second) });
    await runWorkQueue(workQueue, work, run());
    expect([...work.attempted].sort()).toEqual(ids.slice(0, 5));
    expect(await waitingOf(workQueue)).toMatchObject({ waiting: 12 });
    // During the pause, trigger messages and new items cause no attempt.
    await runWorkQueue(workQueue, work, run());
    await add(workQueue, '99');
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toHaveLength(5);
    const untilItMayGoOn = async () => {
      const { pausedUntil = '' } = (await readWorkQueueState(workQueue)).state;
      expect(Date.parse(pausedUntil) - time.now.getTime()).toBeGreaterThanOrEqual(minute);
      time.now = new Date(pausedUntil);
    };
    for (const next of ['05', '06']) {
      await untilItMayGoOn();
      work.attempted.splice(0);
      await runWorkQueue(workQueue, work, run());
      expect(work.attempted).toEqual([next]);
    }
    down = false;
    await untilItMayGoOn();
    work.attempted.splice(0);
    await runWorkQueue(workQueue, work, run());
    expect([...work.attempted].sort()).toEqual(['07', '08', '09', '10', '11', '99']);
    expect((await readWorkQueueState(workQueue)).state.failures).toBe(0);
  });

  test('failures with ownFault do not open the circuit breaker', async () => {
    const workQueue = newWorkQueue();
    const work = handlerBy(() => ({ status: 'failed', ownFault: true, attempt: {} }));
    const ids = Array.from({ length: 9 }, (_, n) => String(n));
    for (const id of ids) await add(workQueue, id);
    await runWorkQueue(workQueue, work, run());
    expect([...work.attempted].sort()).toEqual(ids);
  });

  test('a pause that the receiver requests delays all attempts except those that a user requests', async () => {
    const workQueue = newWorkQueue();
    const until = new Date(time.now.getTime() + 2 * hour);
    const work = handlerBy((_, { now }) =>
      work.attempted.length === 1 ? { ...failing(now), pauseWorkQueueUntil: until } : { status: 'delivered' },
    );
    await add(workQueue, 'a');
    await runWorkQueue(workQueue, work, run());
    triggers.splice(0);
    await add(workQueue, 'b');
    await runWorkQueue(workQueue, work, run());
    pass(hour);
    await runWorkQueue(workQueue, work, run());
    expect([work.attempted, triggers]).toEqual([['a'], []]);
    // A user requests one attempt.
    await add(workQueue, 'c');
    const asked = await getWorkItem(workQueue, 'c', time.now);
    await write(attemptOnceWrites(workQueue, asked, time.now));
    await runWorkQueue(workQueue, work, run());
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toEqual(['a', 'c']);
    expect(await statuses(workQueue)).toEqual({ a: 'waiting', b: 'waiting', c: 'delivered' });
    time.now = until;
    await runWorkQueue(workQueue, work, run());
    expect(await statuses(workQueue)).toEqual({ a: 'delivered', b: 'delivered', c: 'delivered' });
  });

  test('cancelling a work queue cancels all open items, due or not, and attempts no item', async () => {
    const [workQueue, work] = [newWorkQueue(), handlerBy()];
    await add(workQueue, 'done');
    await runWorkQueue(workQueue, work, run());
    for (let n = 0; n < 30; n++)
      await add(workQueue, `${10 + n}`, { due: new Date(time.now.getTime() + (n % 3) * hour) });
    await write(markDueWrites(workQueue, time.now));
    await runWorkQueue(workQueue, { ...work, prepare: async () => 'cancel all' }, run());
    expect(work.attempted).toEqual(['done']);
    const { done, ...others } = await statuses(workQueue);
    expect([done, new Set(Object.values(others)), Object.keys(others).length]).toEqual([
      'delivered',
      new Set(['cancelled']),
      30,
    ]);
    expect(await waitingOf(workQueue)).toEqual({ waiting: 0 });
  });

  test('if the prepare function of a handler returns “not now”, the work queue runs again after 15 minutes, or earlier on request', async () => {
    const [workQueue, work] = [newWorkQueue(), handlerBy()];
    const notNow = { ...work, prepare: async () => 'not now' as const };
    await add(workQueue, 'a');
    await runWorkQueue(workQueue, notNow, run());
    expect(triggers.at(-1)?.delay).toBeGreaterThan(14 * 60);
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toEqual([]);
    pass(16 * minute);
    await runWorkQueue(workQueue, work, run());
    expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
    await add(workQueue, 'b');
    await runWorkQueue(workQueue, notNow, run());
    await write(markDueWrites(workQueue, time.now));
    await runWorkQueue(workQueue, work, run());
    expect(await statuses(workQueue)).toEqual({ a: 'delivered', b: 'delivered' });
  });

  test('a single attempt that a user requests does not change the schedule, unless the attempt succeeds', async () => {
    const workQueue = newWorkQueue();
    let down = true;
    const onces: boolean[] = [];
    const work = handlerBy((_, { now, once }) => {
      onces.push(once);
      return down ? failing(now) : { status: 'delivered', attempt: {} };
    });
    const attemptOnce = async () => {
      const one = await getWorkItem(workQueue, 'a', time.now);
      await write(attemptOnceWrites(workQueue, one, time.now));
      await runWorkQueue(workQueue, work, run());
      return getWorkItem(workQueue, 'a', time.now);
    };
    await add(workQueue, 'a');
    await runWorkQueue(workQueue, work, run());
    const before = await getWorkItem(workQueue, 'a', time.now);
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
    expect((await readPointers(workQueue, 9)).pointers).toEqual([]);
    pass(hour);
    await runWorkQueue(workQueue, work, run());
    expect(onces).toHaveLength(4);
  });

  test('an endpoint can add or replace an item in its own transaction', async () => {
    const [workQueue, work] = [newWorkQueue(), handlerBy()];
    await write(enqueueWrites(workQueue, workItem('a'), time.now));
    await expect(write(enqueueWrites(workQueue, workItem('a'), time.now))).rejects.toThrow(VersionConflict);
    await write(replaceWrites(workQueue, workItem('a', { content: { text: 'new' } }), time.now));
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toEqual(['a']);
    await write(replaceWrites(workQueue, workItem('a'), time.now));
    await runWorkQueue(workQueue, work, run());
    expect(work.attempted).toEqual(['a', 'a']);
    const left = (await scanTable()).filter(
      ({ pk, type }) => pk.includes(workQueue.account) && type === 'trigger',
    );
    expect(left.map((trigger) => [trigger.queue, trigger.workQueue])).toEqual(
      Array.from({ length: 3 }, () => ['deliveries', workQueue.name]),
    );
  });

  test('long work stores a cursor in its item, and continues from this cursor after a crash', async () => {
    const workQueue = newWorkQueue();
    const cursors: string[] = [];
    const work = handlerBy(({ content: { text } }, { now }) => {
      cursors.push(text);
      if (text === 'xxx' && cursors.length === 4) throw new Error('a crash');
      return text.length < 6 ? { content: { text: `${text}x` }, again: now } : { status: 'delivered' };
    });
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    await add(workQueue, 'a', { content: { text: '' } });
    await runWorkQueue(workQueue, work, run());
    pass(2 * minute);
    await runWorkQueue(workQueue, work, run());
    errors.mockRestore();
    expect(cursors).toEqual(['', 'x', 'xx', 'xxx', 'xxx', 'xxxx', 'xxxxx', 'xxxxxx']);
    expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
  });
});

describe('a lease', () => {
  /** A handler whose attempts last until `end` is called, and then fail. */
  const heldWork = () => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = handlerBy(async () => {
      await held;
      return { status: 'failed', attempt: { error: 'by the worker that lost the lease' } };
    });
    return { work, end, begun: () => vi.waitUntil(() => work.attempted.length > 0, { interval: 1 }) };
  };

  test('a worker that lost the lease starts no attempt and writes nothing', async () => {
    const workQueue = newWorkQueue();
    const { work, end, begun } = heldWork();
    const began = time.now;
    await add(workQueue, 'a');
    const lost = runWorkQueue(workQueue, work, run());
    await begun();
    // During the lease, a trigger message only sets `wanted` in the state.
    const other = handlerBy();
    await runWorkQueue(workQueue, other, run());
    expect(other.attempted).toEqual([]);
    pass(61 * second);
    await runWorkQueue(workQueue, other, run());
    expect(await findWorkItem(workQueue, 'a', time.now)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1 }],
    });
    // Adds an item that is due since the start of the first worker. That worker must not attempt it.
    await add(workQueue, 'b', { due: began });
    const stored = await scanTable();
    end();
    await lost;
    expect(work.attempted).toEqual(['a']);
    expect(await scanTable()).toEqual(stored);
  });

  test('the result of an attempt that ends after the lease is not recorded', async () => {
    const workQueue = newWorkQueue();
    const { work, end, begun } = heldWork();
    await add(workQueue, 'a');
    const late = runWorkQueue(workQueue, work, run(120));
    await begun();
    const realNow = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 60 * second);
    onTestFinished(() => void vi.restoreAllMocks());
    end();
    await late;
    expect(await findWorkItem(workQueue, 'a', time.now)).toMatchObject({ status: 'waiting', attempts: [] });
  });

  test('no item is written after the deadline of the run', async () => {
    const workQueue = newWorkQueue();
    await expect(enqueue(workQueue, workItem('a'), run(0))).rejects.toMatchObject({ code: 'busy' });
    expect(await findWorkItem(workQueue, 'a', time.now)).toBeUndefined();
  });

  test('an attempt is recorded even if its retry has the same due time', async () => {
    const workQueue = newWorkQueue();
    const { now: due } = time;
    const work = handlerBy(({ attempts }) =>
      attempts.length === 0
        ? { again: due, attempt: { error: 'the first' } }
        : { status: 'delivered', attempt: {} },
    );
    await add(workQueue, 'a');
    await runWorkQueue(workQueue, work, run());
    pass(second);
    await runWorkQueue(workQueue, work, run());
    expect(await findWorkItem(workQueue, 'a', time.now)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1, error: 'the first' }, { number: 2 }],
    });
  });

  test('an attempt that could outlast the lease is not started, and another run is triggered', async () => {
    const [workQueue, work] = [newWorkQueue(), handlerBy()];
    await add(workQueue, 'a');
    await runWorkQueue(workQueue, work, run(18));
    expect([work.attempted, triggers.length]).toEqual([[], 2]);
    await runWorkQueue(workQueue, work, run());
    expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
  });

  test('an attempt is aborted before the lease ends, and retried', async () => {
    const workQueue = newWorkQueue();
    const work = handlerBy(async (_, { signal, now }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { again: new Date(now.getTime() + minute), attempt: { error: 'timeout' } };
    });
    await add(workQueue, 'a');
    await runWorkQueue(workQueue, { ...work, longest: 0 }, run(6));
    expect(await findWorkItem(workQueue, 'a', time.now)).toMatchObject({
      status: 'waiting',
      attempts: [{ error: 'timeout' }],
    });
    expect((await readWorkQueueState(workQueue)).state.lease).toBeUndefined();
  });
});

const start = Date.UTC(2026, 4, 1);
const at = (seconds: number) => new Date(start + seconds * 1000);

/** An operation on a work queue. `passes` is the number of seconds since the previous operation. */
const step = fc.record({
  passes: fc.constantFrom(0, 1, 30, 61, 1000),
  what: fc.constantFrom('request', 'trigger', 'release', 'pause'),
  ahead: fc.constantFrom(undefined, 0, 5, 600, 7200),
});

test('after any operations, the sweep finds due work within a minute, and no trigger message arrives too early', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let [state, seconds]: [WorkQueueState, number] = [emptyState, 0];
      for (const { passes, what, ahead } of steps) {
        seconds += passes;
        const now = at(seconds);
        const open = state.due;
        let triggerIn: number | undefined;
        if (what === 'request') ({ state, triggerIn } = requestWork(state, at(seconds + (ahead ?? 0)), now));
        else if (what === 'trigger') {
          const next = onTrigger(state, now);
          if (next === 'rest') continue;
          state = 'take' in next ? next.take : next.write.state;
          if ('take' in next) expect(next.take.wanted).toBeUndefined();
        } else if (state.lease && isLeased(state, now)) {
          const left = {
            failures: 0,
            ...(ahead !== undefined && { due: at(seconds + ahead).toISOString() }),
          };
          const pausedUntil = what === 'pause' ? { pausedUntil: at(seconds + 600) } : {};
          ({ state, triggerIn } = release(state, { ...left, ...pausedUntil }, now));
          expect([state.lease, state.wanted]).toEqual([undefined, undefined]);
        }
        // Only the holder of the lease may clear the due time.
        if (what === 'request' || what === 'trigger')
          expect(state.due === undefined).toBe(open === undefined && what === 'trigger');
        const due = nextStart(state);
        expect(state.sweepAt === undefined).toBe(due === undefined);
        if (due === undefined) continue;
        const from = Math.max(Date.parse(due), now.getTime());
        expect(Date.parse(state.sweepAt ?? '')).toBeLessThanOrEqual(from + 60_000);
        if (triggerIn === undefined) continue;
        expect(triggerIn).toBeLessThanOrEqual(longestDelay);
        expect(now.getTime() + triggerIn).toBeGreaterThanOrEqual(from);
      }
    }),
    { numRuns: 500 },
  );
});

test('a trigger message that arrives one second early is sent again, with delivery at the due time', () => {
  const { state } = requestWork(emptyState, at(60), at(0));
  const next = onTrigger(state, at(59));
  if (next === 'rest' || !('take' in next)) throw new Error('The work is not treated as due.');
  expect(release(next.take, { due: at(60).toISOString(), failures: 0 }, at(59)).triggerIn).toBe(1000);
});

test('requests during a lease change the state once, and send no trigger message', () => {
  const next = onTrigger(requestWork(emptyState, at(0), at(0)).state, at(0));
  if (next === 'rest' || !('take' in next)) throw new Error('The work is not treated as due.');
  const first = requestWork(next.take, at(1), at(1));
  expect(first).toEqual({ state: { ...next.take, wanted: true } });
  expect(requestWork(first.state, at(2), at(2)).state).toBe(first.state);
  expect(onTrigger(first.state, at(2))).toBe('rest');
  expect(onTrigger(next.take, at(2))).toEqual({ write: { state: first.state } });
});

const counted = (act: () => Promise<unknown>) => measureUnits(() => runAs({ functionName: 'a worker' }, act));

test('adding, attempting and completing a single work item costs 9 write and 4 read units', async () => {
  const [workQueue, work] = [newWorkQueue(), handlerBy()];
  const opened = await counted(() => add(workQueue, 'a'));
  const worked = await counted(() => runWorkQueue(workQueue, work, run()));
  expect([opened.write, opened.read, worked.write, worked.read]).toEqual([4, 1, 5, 3]);
  expect(await statuses(workQueue)).toEqual({ a: 'delivered' });
});

test('a work item of a burst of 40 costs less than 4.5 write units, and late trigger messages cost no write units', async () => {
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

// The last test, because other tests scan the table.
test('the total of a work queue counts at most 24 MB of items, which limits the duration of counting', async () => {
  const workQueue = newWorkQueue();
  const items = Array.from({ length: 80 }, (_, n) =>
    workItemRecord(
      workQueue,
      newWorkItem(workItem(String(n), { content: { text: 'x'.repeat(350_000) } }), time.now),
    ),
  );
  expect(await putAll(items)).toEqual([]);
  const total = await workItemsOf(workQueue, time.now).total();
  expect(total).toBeGreaterThan(60);
  expect(total).toBeLessThan(80);
});
