import { expect, test } from 'vitest';
import { progressBar } from '../../infra/administration/progress-bar.ts';

/** The output of a bar, with 100 ms between two steps. */
function drawn(isTTY: boolean, total: number | undefined, steps: readonly number[]): string[] {
  const written: string[] = [];
  const terminal = { isTTY, columns: 60, write: (text: string) => written.push(text) > 0 };
  let now = 0;
  const bar = progressBar('Items read', total, terminal, () => {
    now += 100;
    return now;
  });
  for (const step of steps) bar.advance(step);
  bar.end();
  return written.map((text) => text.slice('\r\x1b[K'.length));
}

test('on a terminal, a bar shows at most 100%, and is erased at the end', () => {
  expect(drawn(true, 4, [1, 2, 5])).toEqual([
    'Items read [######------------------] 25 % 1',
    'Items read [##################------] 75 % 3',
    'Items read [########################] 100 % 8',
    '',
  ]);
});

test('a bar without a total shows only the count, and a bar without a terminal prints nothing', () => {
  expect(drawn(true, undefined, [7, 8])).toEqual(['Items read 7', 'Items read 15', '']);
  expect(drawn(false, 4, [1, 2])).toEqual([]);
});
