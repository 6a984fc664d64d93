import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCheckpoint, storedCheckpoint } from '../../infra/local/checkpoint.ts';
import { temporaryFolder } from './runner-process.ts';

const streamArn = 'arn:aws:dynamodb:dynoxide:000000000000:table/t/stream/1.5';
const whole = { streamArn, positions: { s: '7' }, finished: ['r'] };

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'checkpoint.json');
  writeFileSync(path, text);
  return path;
}

test('a checkpoint is that of its stream, and another stream begins at its start', () => {
  const path = fileWith(JSON.stringify(whole));
  expect(readCheckpoint(path, streamArn)).toEqual(whole);
  const other = `${streamArn}1`;
  expect(readCheckpoint(path, other)).toEqual({ streamArn: other, positions: {}, finished: [] });
  expect(storedCheckpoint(`${path}.none`)).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['half of it', JSON.stringify(whole).slice(0, 40)],
  ['null', 'null'],
  ['a list', '[]'],
  ['no stream', JSON.stringify({ ...whole, streamArn: undefined })],
  ['no positions', JSON.stringify({ ...whole, positions: undefined })],
  ['a position that is a number', JSON.stringify({ ...whole, positions: { s: 7 } })],
  ['a position that is no number', JSON.stringify({ ...whole, positions: { s: '7 or so' } })],
  ['finished shards that are no list', JSON.stringify({ ...whole, finished: {} })],
  ['finished shards without a name', JSON.stringify({ ...whole, finished: [1] })],
])(
  'a checkpoint that holds %s is damaged and told in a sentence, rather than taken for a start',
  (_, text) => {
    const path = fileWith(text);
    const sentence = `The checkpoint ${path} is damaged: remove it, and every event the stream still has is handled again.`;
    expect(() => readCheckpoint(path, streamArn)).toThrow(sentence);
  },
);
