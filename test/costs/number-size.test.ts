import { expect, test } from 'vitest';
import { numberSize } from './number-size.ts';

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
