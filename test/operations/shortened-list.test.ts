import { expect, test } from 'vitest';
import { shortenedList } from '../../infra/shortened-list.ts';

test.each([
  [0, []],
  [2, ['a', 'b']],
  [3, ['a', 'b', 'c']],
  [4, ['a', 'b', 'c', 'and 1 more']],
  [5, ['a', 'b', 'c', 'and 2 more']],
])(
  'a list of %i entries is shown with at most three entries, and never with “and 0 more”',
  (count, shown) => {
    expect(shortenedList([...'abcde'].slice(0, count), 3)).toEqual(shown);
  },
);
