import { expect, test } from 'vitest';
import { describeQueues } from '../../infra/operations/describe-letters.ts';

const depth = (messages: number, oldestSeconds?: number) => ({
  messages,
  ...(oldestSeconds === undefined ? {} : { oldestSeconds }),
});

test('the table of the queues shows ages in seconds below two minutes, and in minutes below two hours', () => {
  const lines = describeQueues([
    { queue: 'relay', deadLetters: depth(0) },
    { queue: 'webhooks', waiting: depth(3, 119), deadLetters: depth(12, 7199), ids: ['m-1', 'm-2'] },
    { queue: 'search', waiting: depth(1, 120), deadLetters: depth(1, 7200), ids: ['m-3'] },
  ]);
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['queue', 'messages', 'oldest', 'dead letters', 'oldest'],
    ['relay', '-', '-', '0', '-'],
    ['webhooks', '3', '119 s', '12', '120 min'],
    ['search', '1', '2 min', '1', '2 h'],
    [''],
    ['webhooks m-1'],
    ['webhooks m-2'],
    ['search m-3'],
  ]);
});
