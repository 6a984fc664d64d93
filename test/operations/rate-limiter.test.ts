import { expect, onTestFinished, test, vi } from 'vitest';

const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => void waits.push(milliseconds),
}));

const { rateLimiter } = await import('../../infra/operations/rate-limiter.ts');

test('a caller waits for the units of earlier callers, and never for a negative time', async () => {
  let now = 1_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now++);
  onTestFinished(() => clock.mockRestore());
  const turn = rateLimiter(100);
  now += 50;
  for (const units of [10, 10, 1]) await turn(units);
  expect(waits).toEqual([0, 99, 198]);
});
