import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCheckpoint, storedCheckpoint } from '../../infra/local/checkpoint.ts';
import { temporaryFolder } from './runner-process.ts';

const streamArn = 'arn:aws:dynamodb:dynoxide:000000000000:table/t/stream/1.5';
const valid = { streamArn, positions: { s: '7' }, finished: ['r'] };

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'checkpoint.json');
  writeFileSync(path, text);
  return path;
}

test('a checkpoint applies to its own stream, and another stream is read from its start', () => {
  const path = fileWith(JSON.stringify(valid));
  expect(readCheckpoint(path, streamArn)).toEqual(valid);
  const other = `${streamArn}1`;
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
  expect(() => readCheckpoint(path, streamArn)).toThrow(`The checkpoint ${path} is damaged. Delete it`);
});
