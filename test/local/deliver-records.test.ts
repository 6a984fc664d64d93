import { expect, test } from 'vitest';
import { type BatchDelivery, deliver } from '../../infra/local/deliver-records.ts';
import type { StreamRecord } from '../../infra/local/table-stream.ts';

const record = (number: number, seconds = Date.now() / 1000): StreamRecord => ({
  dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: seconds },
});
const numbers = (records: readonly StreamRecord[]) =>
  records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));

/**
 * Delivers records 1 to `count` to a function. Returns the function's calls and the delivered and abandoned
 * records.
 */
async function run(
  count: number,
  response: (records: number[], call: number) => unknown,
  changes: Partial<BatchDelivery> = {},
) {
  const calls: number[][] = [];
  const delivered: number[] = [];
  const abandoned: number[] = [];
  const invoke = async ({ Records }: { Records: StreamRecord[] }) => {
    calls.push(numbers(Records));
    return response(numbers(Records), calls.length);
  };
  await deliver(
    Array.from({ length: count }, (_, index) => record(index + 1)),
    {
      invoke,
      delivered: (done) => delivered.push(...numbers([done])),
      abandon: async (given) => void abandoned.push(...numbers([given])),
      maxAge: 60_000,
      firstBackoff: 1,
      signal: new AbortController().signal,
      ...changes,
    },
  );
  return { calls, delivered, abandoned };
}

const failing = (...given: number[]) => ({
  batchItemFailures: given.map((n) => ({ itemIdentifier: String(n) })),
});

test('a batch without failures is delivered in one call', async () => {
  const { calls, delivered } = await run(4, () => failing());
  expect(calls).toEqual([[1, 2, 3, 4]]);
  expect(delivered).toEqual([1, 2, 3, 4]);
});

test('after a partial failure, the retry starts at the lowest failed sequence number', async () => {
  const { calls, delivered } = await run(5, (_, call) => (call === 1 ? failing(4, 3) : failing()));
  expect(calls).toEqual([
    [1, 2, 3, 4, 5],
    [3, 4, 5],
  ]);
  expect(delivered).toEqual([1, 2, 3, 4, 5]);
});

test('a batch whose function throws is split into halves, which are delivered in order', async () => {
  const { calls, delivered } = await run(4, (records) => {
    if (records.length > 1 && records.includes(3)) throw new Error('too many records');
    return failing();
  });
  expect(calls).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  expect(delivered).toEqual([1, 2, 3, 4]);
});

test('if a function reports the failure of an unknown record, the whole batch is retried', async () => {
  const { delivered, calls } = await run(1, (_, call) => (call === 1 ? failing(99) : failing()));
  expect(calls).toEqual([[1], [1]]);
  expect(delivered).toEqual([1]);
});

test('if a record fails until it is too old, this record and all later records that are too old are abandoned', async () => {
  const { delivered, abandoned } = await run(3, (records) => (records.includes(2) ? failing(2) : failing()), {
    maxAge: 150,
    firstBackoff: 20,
  });
  expect(delivered).toEqual([1]);
  // Record 3 waits for record 2, and meanwhile becomes too old.
  expect(abandoned).toEqual([2, 3]);
});

test('when the delivery is stopped, retries end, and the failing records are neither delivered nor abandoned', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 30);
  const { delivered, abandoned } = await run(2, () => failing(1), {
    signal: stopping.signal,
    firstBackoff: 10,
  });
  expect([delivered, abandoned]).toEqual([[], []]);
});
