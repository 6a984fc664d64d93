import { expect, test } from 'vitest';
import { showItem } from '../../infra/local/console/show-item.ts';

test('the size of an item is the sum of the sizes of its names and values, and its index keys are listed', () => {
  const item = {
    pk: 'ACCOUNT#acme',
    sk: 'ACCOUNT',
    listPk: 'L',
    listSk: '1',
    name: 'Ümit',
    count: 12345,
    flags: [true, null],
    more: { a: 'b' },
  };
  const shown = showItem(item);
  expect(shown.attributes.map(({ name, size }) => [name, size])).toEqual([
    ['count', 5 + 4],
    ['flags', 5 + 3 + 2 + 2],
    ['more', 4 + 3 + 1 + 2],
    ['name', 4 + 5],
  ]);
  expect(shown.size).toBe(9 + 9 + 12 + 10 + (2 + 12) + (2 + 7) + (6 + 1) + (6 + 1));
  expect(shown.indexes).toEqual([{ index: 'list', pk: 'L', sk: '1' }]);
});
