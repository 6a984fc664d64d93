import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { callCounterKey, callsOf, countCall, secondsLeft } from '../../shared/security/call-limit.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';

const at = (time: string) => new Date(`2026-03-01T09:30:${time}Z`);

test('Retry-After is the rest of the minute', () => {
  expect(['00.000', '00.999', '45.500', '59.999'].map((time) => secondsLeft(at(time)))).toEqual([
    60, 60, 15, 1,
  ]);
});

test('the counter of a minute expires soon after it', async () => {
  const calls = callsOf({ kind: 'user', id: 7, home: 'acme' as AccountId });
  await countCall(calls, undefined, at('10.000')).write?.();
  const counter = await getItem(callCounterKey(calls, at('10.000')));
  expect(counter).toMatchObject({ count: 1, expiresAtSeconds: expect.any(Number) });
  const kept = Number(counter?.expiresAtSeconds) - asSeconds(at('10.000'));
  expect(kept).toBeGreaterThanOrEqual(60);
  expect(kept).toBeLessThanOrEqual(3600);
});
