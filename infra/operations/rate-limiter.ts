import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns a function that waits until its caller may use `units`. All callers together use at most `rate`
 * units per second.
 */
export function rateLimiter(rate: number): (units: number) => Promise<void> {
  let nextFree = Date.now();
  return async (units) => {
    const now = Date.now();
    const start = Math.max(nextFree, now);
    nextFree = start + (units * 1000) / rate;
    await sleep(start - now);
  };
}
