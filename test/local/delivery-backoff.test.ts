import { afterEach, expect, test, vi } from 'vitest';
import { deliver } from '../../infra/local/deliver-records.ts';
import type { StreamRecord } from '../../infra/local/table-stream.ts';

/** The wait before each retry, in milliseconds. */
const waits = vi.hoisted((): number[] => []);
vi.mock('../../infra/local/polling.ts', async (original) => ({
  ...(await original<typeof import('../../infra/local/polling.ts')>()),
  abortableSleep: async (_: AbortSignal, milliseconds: number) => {
    waits.push(milliseconds);
  },
}));

afterEach(() => {
  vi.restoreAllMocks();
  waits.length = 0;
});

const record = (sequence: number): StreamRecord => ({ dynamodb: { SequenceNumber: String(sequence) } });

/** Delivers two records to a function that fails the given number of times for each record. */
async function waitsOf(failures: { 1: number; 2: number }): Promise<number[]> {
  const left = { ...failures };
  waits.length = 0;
  await deliver([record(1), record(2)], {
    async invoke({ Records }) {
      const failing = Records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber) as 1 | 2).find(
        (sequence) => left[sequence] > 0,
      );
      if (failing === undefined) return {};
      left[failing] -= 1;
      return { batchItemFailures: [{ itemIdentifier: String(failing) }] };
    },
    delivered: () => {},
    abandon: async () => {},
    maxAge: 60_000,
    firstBackoff: 200,
    signal: new AbortController().signal,
  });
  return [...waits];
}

test('the wait before a retry doubles up to a minute, and half of the wait is random', async () => {
  const doubling = [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000];
  vi.spyOn(Math, 'random').mockReturnValue(1);
  expect(await waitsOf({ 1: 11, 2: 0 })).toEqual(doubling);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(await waitsOf({ 1: 11, 2: 0 })).toEqual(doubling.map((wait) => wait / 2));
});

test('after a partial delivery of a batch, the backoff restarts at its first value', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  expect(await waitsOf({ 1: 3, 2: 2 })).toEqual([200, 400, 800, 200, 400]);
});
