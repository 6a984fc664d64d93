import { setTimeout } from 'node:timers/promises';

/** Full jitter: a random wait below a ceiling that doubles from 25 ms to 1 s, so that losers spread out. */
export const pause = (attempt: number): Promise<void> =>
  setTimeout(Math.random() * Math.min(1000, 25 * 2 ** Math.min(attempt, 10)));
