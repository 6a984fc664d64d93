import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { mintId } from '../../shared/id/mint.ts';
import { cardNumbersIn, containsCardNumber } from '../../shared/security/card-numbers.ts';
import { networks, separators, withCheckDigit } from '../body-capture/secrets.ts';

test.each([
  '4111111111111111',
  'paid with 4111 1111 1111 1111, thanks',
  '4012-8888-8888-1881',
  '378282246310005',
  '5555.5555.5555.4444',
  '2223003122003222',
  '6011111111111117',
  '３５３０１１１３３３３０００００',
  '𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏',
  '4222222222222',
  '4111\u00a01111\u00a01111\u00a01111',
  '4111  1111  1111  1111',
  '4111\r\n1111\r\n1111\r\n1111',
  '4111 \u2013 1111 \u2013 1111 \u2013 1111',
  '30569309025904',
  '6759649826438453',
  '8171999927660000',
  '9792030394440796',
  '2026-03-01 4111 1111 1111 1111',
  '4111 1111 1111 1111 737',
  '1 4111111111111111 2',
])('%s contains a card number', (text) => {
  expect(containsCardNumber(text)).toBe(true);
});

test.each([
  '4111111111111112',
  '214563398120449',
  'INV-000042',
  '+1 415 555 0134',
  '+49 1512 3456785',
  '2026-03-01 09:30:00',
  '0000000000000000',
  '41111111111111111111111',
  '4111:1111:1111:1111',
])('%s contains no card number', (text) => {
  expect(containsCardNumber(text)).toBe(false);
});

test('a number of every network is found with every separator, and next to other numbers', () => {
  const number = fc
    .tuple(fc.constantFrom(...networks), fc.infiniteStream(fc.integer({ min: 0, max: 9 })))
    .map(([[, first, length], digits]) =>
      withCheckDigit(first + [...digits.take(length - 1 - first.length)].join('')),
    );
  const near = fc.constantFrom('', 'Card ', '2026-03-01 ', '+1 415 555 0134, ', '12 ', 'é', '\u0663 ');
  fc.assert(
    fc.property(number, fc.constantFrom(...separators), near, near, (digits, separator, before, after) => {
      const groups = digits.length === 15 ? /^(.{4})(.{6})(.{5})$/ : /^(.{4})(.{4})(.{4})(.*)$/;
      const card =
        groups
          .exec(digits)
          ?.slice(1)
          .filter((group) => group !== '')
          .join(separator) ?? '';
      const text = `${before}${card} ${after}`;
      const from = text.indexOf(card);
      const isFound = cardNumbersIn(text).some((span) => span.from <= from && span.to >= from + card.length);
      expect(isFound, text).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('no id of a record of this year is a card number', () => {
  const time = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(time, (now) => {
      expect(containsCardNumber(`Lead ${mintId(now)} was created`)).toBe(false);
    }),
  );
});

test('the service has one matcher of card numbers', () => {
  const files = readdirSync(join(root, 'shared'), { recursive: true, encoding: 'utf8' });
  const users = files.filter(
    (file) => file.endsWith('.ts') && /LuhnCheckDigit/.test(readFileSync(join(root, 'shared', file), 'utf8')),
  );
  expect(users.sort()).toEqual(['formats.ts', 'security/card-numbers.ts']);
});
