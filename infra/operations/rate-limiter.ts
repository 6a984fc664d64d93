import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so long, for those who ask side by side too, that no more than `rate` pass in a second. */
export function rateLimiter(rate: number): (many: number) => Promise<void> {
  let free = Date.now();
  return async (many) => {
    const turn = Math.max(free, Date.now());
    free = turn + (many * 1000) / rate;
    await sleep(turn - Date.now());
  };
}
