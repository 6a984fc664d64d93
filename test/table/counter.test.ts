import { expect, test } from 'vitest';
import { counterValue, incrementInWindow } from '../../shared/table/counters.ts';
import { isExpired } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';
import { concurrently } from '../harness/concurrently.ts';

let keys = 0;
const freshKey = () => ({ pk: `TEST#counter${++keys}`, sk: 'TEST' });
const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1000);

test('a window starts at its first count and ends on time, and the count of the next window starts at one', async () => {
  const key = freshKey();
  const count = (seconds: number) => incrementInWindow(key, 1, 900, at(seconds));
  expect([await count(0), await count(450), await count(899)]).toEqual([1, 2, 3]);
  expect(await getItem(key)).toMatchObject({ expiresAtSeconds: 1_700_000_900 });
  expect([await count(900), await count(1799)]).toEqual([1, 2]);
  expect(await getItem(key)).toMatchObject({ expiresAtSeconds: 1_700_001_800 });
  expect(await count(1800)).toBe(1);
});

test('a decrement reduces the count, and has no effect in a later window', async () => {
  const key = freshKey();
  await incrementInWindow(key, 1, 900, at(0));
  expect(await incrementInWindow(key, 1, 900, at(1))).toBe(2);
  expect(await incrementInWindow(key, -1, 900, at(2))).toBe(1);
  expect(await incrementInWindow(key, -1, 900, at(900))).toBe(0);
  expect(await incrementInWindow(key, 1, 900, at(901))).toBe(1);
});

test('an expired window counts as zero, whether or not its item was removed', async () => {
  const key = freshKey();
  await incrementInWindow(key, 1, 900, at(0));
  const item = await getItem(key);
  expect([counterValue(item, at(899)), counterValue(item, at(900)), counterValue(undefined, at(0))]).toEqual([
    1, 0, 0,
  ]);
});

test('concurrent counts after the end of a window are all counted in the next window', async () => {
  const key = freshKey();
  for (let n = 0; n < 5; n++) await incrementInWindow(key, 1, 900, at(0));
  const counts = await concurrently(30, () => incrementInWindow(key, 1, 900, at(900)));
  expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
});

test('an item expires at its expiresAtSeconds, and never expires without this attribute', () => {
  const at = (milliseconds: number) => isExpired({ expiresAtSeconds: 1000 }, new Date(milliseconds));
  expect([at(999_999), at(1_000_000), at(1_000_001)]).toEqual([false, true, true]);
  expect(isExpired({}, new Date())).toBe(false);
});
