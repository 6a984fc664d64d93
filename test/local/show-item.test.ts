import { expect, test } from 'vitest';
import { numberSize } from '../../infra/local/console/number-size.ts';
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

test.each([
  ['0', 1],
  ['-0.00', 1],
  ['1', 2],
  ['-1', 3],
  ['100', 2],
  ['1E125', 2],
  ['1E-130', 2],
  ['123456', 4],
  ['3.14159', 5],
  ['12.5E1', 3],
  ['1.25E1', 3],
  ['0042.1200', 3],
  ['100.5', 4],
  ['1.05', 3],
  ['-0.0012300', 4],
  ['9.9999999999999999999999999999999999999E+125', 20],
])('the number %s takes %i bytes', (number, bytes) => {
  expect(numberSize(number)).toBe(bytes);
});
