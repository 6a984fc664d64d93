import { expect, test } from 'vitest';
import { isExpired } from '../../shared/table/item.ts';

test('an item expires at the second of its expiry, and never without one', () => {
  const at = (milliseconds: number) => isExpired({ expiresAtSeconds: 1000 }, new Date(milliseconds));
  expect([at(999_999), at(1_000_000), at(1_000_001)]).toEqual([false, true, true]);
  expect(isExpired({}, new Date())).toBe(false);
});
