import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { commit } from '../../shared/events/outbox.ts';
import { object, string } from '../../shared/schema.ts';
import { backoff } from '../../shared/table/backoff.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { increment } from '../../shared/table/counters.ts';
import { tenantPartition } from '../../shared/table/keys.ts';
import { addToCounter, putIfVersion } from '../../shared/table/operations.ts';
import { getItems } from '../../shared/table/read.ts';
import { newRevision, putRevised } from '../../shared/table/revised-item.ts';
import { failCalls } from '../harness/call-faults.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs, watchWire } from '../harness/wire.ts';

const acme = await tenant();
const key = { pk: 'TEST#retries', sk: 'TEST' };

/** The waits in milliseconds, in the order in which they started. Waits use a fake clock. */
let waits: number[] = [];
/** The SDK's timers for a connection are longer than each wait. They use the real clock, as the network does. */
const longestWait = 1000;
beforeEach(() => {
  waits = [];
  const real = globalThis.setTimeout;
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  const fake = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((wake: () => void, milliseconds: number) => {
    if (milliseconds >= longestWait) return real(wake, milliseconds);
    waits.push(milliseconds);
    return fake(wake, milliseconds);
  }) as typeof setTimeout);
});
afterEach(() => {
  noFaults();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Advances the clock through all waits until `done` settles. Returns the elapsed time. */
async function passing(done: Promise<unknown>): Promise<{ outcome: unknown; milliseconds: number }> {
  const start = Date.now();
  let outcome: { value: unknown } | undefined;
  const settle = (value: unknown) => {
    outcome = { value };
  };
  done.then(settle, settle);
  while (!outcome) {
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
  return { outcome: outcome.value, milliseconds: Date.now() - start };
}

/** The upper limits of consecutive waits, which double from 50 ms to `longest`. */
const ceilings = (count: number, longest = longestWait) =>
  Array.from({ length: count }, (_, n) => Math.min(longest, 50 * 2 ** n));
function expectBelow(limits: number[]): void {
  expect(waits).toHaveLength(limits.length);
  for (const [n, limit] of limits.entries()) expect(waits[n]).toBeLessThan(limit);
}

test('a wait is a random part of a ceiling that doubles from 50 ms to one second', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (attempt, part) => {
        waits = [];
        vi.spyOn(Math, 'random').mockReturnValueOnce(part);
        await passing(backoff(attempt));
        expect(waits).toEqual([part * (ceilings(attempt).at(-1) ?? 0)]);
      },
    ),
  );
});

describe('a transaction in conflict', () => {
  const until = (milliseconds: number) =>
    commit({ writes: [addToCounter(key, 1)], events: [], deadline: Date.now() + milliseconds });

  test('a conflicting transaction is retried with growing waits until its deadline, and then fails with busy', async () => {
    injectFaults({ conflicts: 1 });
    const { outcome, milliseconds } = await passing(until(10_000));
    expect(outcome).toMatchObject({ code: 'busy', headers: { 'retry-after': '1' } });
    expect(milliseconds).toBeGreaterThanOrEqual(10_000);
    expect(milliseconds).toBeLessThan(11_000);
    expect(injected.conflicts).toBe(waits.length + 1);
    expectBelow(ceilings(waits.length, 700));
    expect(waits.length).toBeGreaterThan(14);
  });

  test('a conflicting transaction is not retried after its deadline', async () => {
    injectFaults({ conflicts: 1 });
    expect(await passing(until(0))).toMatchObject({ outcome: { code: 'busy' }, milliseconds: 0 });
    expect([injected.conflicts, waits.length]).toEqual([1, 0]);
  });
});

test('a throttled request is sent ten times within 6 s, then fails', async () => {
  injectFaults({ throttles: 1 });
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  const { outcome, milliseconds } = await passing(increment(key));
  expect(outcome).toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  expect(injected.throttles).toBe(10);
  expectBelow(ceilings(9));
  expect(milliseconds).toBeGreaterThan(5000);
  expect(milliseconds).toBeLessThan(6000);
});

test('a single write that conflicts with transactions is sent ten times', async () => {
  injectFaults({ conflicts: 1 });
  const { outcome } = await passing(increment(key));
  expect(outcome).toMatchObject({ name: 'TransactionConflictException' });
  expect(injected.conflicts).toBe(10);
  expectBelow(ceilings(9));
});

test('if every put of a revised item conflicts with a transaction, TransactionConflictException is thrown', async () => {
  injectFaults({ conflicts: 1 });
  const item = { ...key, pk: 'TEST#conflicts', revision: newRevision() };
  const { outcome } = await passing(putRevised(item, undefined));
  expect(outcome).toMatchObject({ name: 'TransactionConflictException' });
});

test('a put whose response is lost is reported as successful', async () => {
  const item = { ...key, pk: 'TEST#put', revision: newRevision() };
  let losses = 1;
  const { stop } = failCalls(() => (losses-- > 0 ? 'lost' : undefined));
  const put = () => passing(runAs({ functionName: 'trial' }, () => putRevised(item, undefined)));
  expect((await put()).outcome).toBe(true);
  stop();
  expect(losses).toBeLessThan(0);
  const other = () => putRevised({ ...item, revision: newRevision() }, undefined);
  expect((await passing(other())).outcome).toBe(false);
});

test('a request that the table rejects is not retried', async () => {
  let sent = 0;
  const stop = watchWire({
    refuse: () => {
      sent += 1;
      return 'never';
    },
  });
  const { outcome } = await passing(increment(key));
  stop();
  expect(outcome).toMatchObject({ name: 'AccessDeniedException' });
  expect(sent).toBe(1);
});

describe('a batch with unprocessed items', () => {
  test('unprocessed reads are retried eight times, and then fail with busy', async () => {
    injectFaults({ unprocessed: 1 });
    expect((await passing(getItems([key]))).outcome).toMatchObject({ code: 'busy' });
    expect(injected.unprocessed).toBe(8);
    expectBelow(ceilings(8).slice(1));
  });

  test('unprocessed writes are sent six times, and the rest is returned', async () => {
    injectFaults({ unprocessed: 1 });
    expect((await passing(putAll([key]))).outcome).toEqual([key]);
    expect(injected.unprocessed).toBe(6);
    expectBelow(ceilings(6).slice(1));
  });
});

test('a request that repeatedly loses races is retried until its deadline, and then returns 503 with Retry-After', async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  // The clock is stopped until the third call of `decide`, so that the speed of the engine does not matter.
  vi.useFakeTimers({ toFake: ['Date'] });
  let decided = 0;
  const losing = endpoint({
    method: 'POST',
    path: '/losing',
    permission: 'writeLeads',
    response: object({ said: string({ examples: ['hello'] }) }),
    summary: 'Lose',
    writes: true,
    decide: () => {
      decided += 1;
      if (decided === 3) vi.setSystemTime(Date.now() + 1000);
      return {
        response: { said: 'never' },
        writes: [putIfVersion({ ...key, pk: tenantPartition(acme.accountId, 'TEST'), version: 2 }, 1)],
        events: [],
      };
    },
  });
  const { status, body, headers } = await acme.key.call(losing, { milliseconds: 2000 });
  expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
  expect(decided).toBe(3);
});
