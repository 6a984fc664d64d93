import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readCheckpoint, storedCheckpoint } from '../../infra/local/checkpoint.ts';
import { progressFrom } from '../../infra/local/progress.ts';
import { startStreamPoller } from '../../infra/local/stream-poller.ts';
import type { Shard, StreamRecord, TableStream } from '../../infra/local/table-stream.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const arn = 'arn:aws:dynamodb:us-east-1:1:table/t/stream/1';

/**
 * A stream of closed shards. The records are numbers. An iterator consists of a shard and the number of records
 * already read from it.
 */
function streamOf(shards: (Shard & { numbers: number[] })[]): TableStream {
  const find = (id: string) => shards.find((shard) => shard.id === id)?.numbers ?? [];
  return {
    arn,
    shards: async () => shards.map(({ id, parentId }) => ({ id, parentId })),
    iterator: async (id, after) => `${id} ${after === undefined ? 0 : find(id).indexOf(Number(after)) + 1}`,
    records: async (iterator) => {
      const [id = '', from] = iterator.split(' ');
      return { records: find(id).slice(Number(from)).map(record) };
    },
  };
}

/** A stream record of a new event with unreadable content. */
const record = (number: number): StreamRecord => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: String(number), NewImage: { type: { S: 'event' } } },
});

function follow(stream: TableStream, checkpointPath: string) {
  const seen: number[] = [];
  const poller = startStreamPoller({
    stream,
    checkpointPath,
    relay: async (event) => {
      const { Records } = event as { Records: StreamRecord[] };
      const numbers = Records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
      seen.push(...numbers);
      // An unreadable record counts as handled when its dead letter is stored.
      for (const number of numbers) queueMicrotask(() => poller.recordDead(String(number)));
      return { batchItemFailures: [] };
    },
    abandon: async () => {},
  });
  onTestFinished(poller.stop);
  return { seen, poller };
}

test('a shard is read after its parent, regardless of their order in the list, and no shard is read twice', async () => {
  const checkpointPath = join(temporaryFolder(), 'checkpoint.json');
  const stream = streamOf([
    { id: 'grandchild', parentId: 'child', numbers: [5, 6] },
    { id: 'child', parentId: 'parent', numbers: [3, 4] },
    { id: 'parent', parentId: 'gone', numbers: [1, 2] },
  ]);
  const first = follow(stream, checkpointPath);
  await expect.poll(() => first.seen).toEqual([1, 2, 3, 4, 5, 6]);
  await first.poller.settled();
  await first.poller.stop();
  const { finished } = JSON.parse(readFileSync(checkpointPath, 'utf8'));
  expect(finished.sort()).toEqual(['child', 'grandchild', 'parent']);

  const again = follow(stream, checkpointPath);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(again.seen).toEqual([]);
});

test('the poller has settled only after a read that began after the last write', async () => {
  const written: StreamRecord[] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  const { seen, poller } = follow(
    {
      ...streamOf([]),
      shards: async () => [{ id: 'open' }],
      iterator: async () => '0',
      records: async (from) => {
        const found = written.slice(Number(from));
        reads += 1;
        if (reads === 2) {
          begin();
          await held;
        }
        return { records: found, next: String(Number(from) + found.length) };
      },
    },
    join(temporaryFolder(), 'checkpoint.json'),
  );
  // The second read finds nothing, and ends only after the write.
  await begun;
  written.push(record(1));
  const settled = poller.settled();
  release();
  await settled;
  expect(seen).toEqual([1]);
});

test('reading continues after the checkpoint of each shard, and shards that the stream no longer lists are removed from the checkpoint', async () => {
  const checkpointPath = join(temporaryFolder(), 'checkpoint.json');
  const positions = { parent: '2', gone: '9' };
  writeFileSync(checkpointPath, JSON.stringify({ streamArn: arn, positions, finished: ['older'] }));
  const { seen, poller } = follow(
    streamOf([
      { id: 'parent', numbers: [1, 2, 3] },
      { id: 'child', parentId: 'parent', numbers: [4] },
    ]),
    checkpointPath,
  );
  await expect.poll(() => seen).toEqual([3, 4]);
  await poller.settled();
  await poller.stop();
  const stored = JSON.parse(readFileSync(checkpointPath, 'utf8'));
  expect(stored.positions).toEqual({ parent: '3', child: '4' });
  expect(stored.finished.sort()).toEqual(['child', 'parent']);
});

const valid = { streamArn: arn, positions: { s: '7' }, finished: ['r'] };

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'checkpoint.json');
  writeFileSync(path, text);
  return path;
}

test('a checkpoint applies only to its own stream, and another stream is read from its start', () => {
  const path = fileWith(JSON.stringify(valid));
  expect(readCheckpoint(path, arn)).toEqual(valid);
  const other = `${arn}1`;
  expect(readCheckpoint(path, other)).toEqual({ streamArn: other, positions: {}, finished: [] });
  expect(storedCheckpoint(`${path}.none`)).toBeUndefined();
});

test.each([
  ['no text', ''],
  ['truncated JSON', JSON.stringify(valid).slice(0, 40)],
  ['null', 'null'],
  ['an array', '[]'],
  ['no stream', JSON.stringify({ ...valid, streamArn: undefined })],
  ['no positions', JSON.stringify({ ...valid, positions: undefined })],
  ['a position of type number', JSON.stringify({ ...valid, positions: { s: 7 } })],
  ['a position that is not numeric', JSON.stringify({ ...valid, positions: { s: '7 or so' } })],
  ['finished shards that are not an array', JSON.stringify({ ...valid, finished: {} })],
  ['a finished shard of type number', JSON.stringify({ ...valid, finished: [1] })],
])('a checkpoint with %s is reported as damaged', (_, text) => {
  const path = fileWith(text);
  expect(() => readCheckpoint(path, arn)).toThrow(`The checkpoint ${path} is damaged. Delete it`);
});

test('before a record is read, the safe position is the start position', () => {
  expect(progressFrom(undefined).safe()).toBeUndefined();
  expect(progressFrom('7').safe()).toBe('7');
});

test('the safe position never passes an unfinished record, and is at the last record when all tasks are done', () => {
  const tasks = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(tasks, fc.infiniteStream(fc.nat()), (counts, picks) => {
      const progress = progressFrom('0');
      const open = counts.flatMap((count, record) =>
        Array.from({ length: count }, (_, task) => ({ record, name: `${record}/${task}` })),
      );
      counts.forEach((count, record) => {
        progress.read(
          String(record + 1),
          Array.from({ length: count }, (_, task) => `${record}/${task}`),
        );
      });
      for (const pick of picks) {
        const firstUnfinished =
          open.length > 0 ? Math.min(...open.map(({ record }) => record)) : counts.length;
        expect(progress.safe()).toBe(String(firstUnfinished));
        const [task] = open.splice(pick % Math.max(1, open.length), 1);
        if (!task) break;
        progress.done(task.name);
        progress.done(task.name);
      }
      expect(progress.idle()).toBe(true);
    }),
  );
});
