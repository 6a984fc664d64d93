import { setTimeout } from 'node:timers/promises';

/**
 * Full jitter: a random wait below a ceiling that doubles from 25 ms to `longest`, in milliseconds, so that losers
 * spread out.
 */
export const pause = (attempt: number, longest = 1000): Promise<void> =>
  setTimeout(Math.random() * Math.min(longest, 25 * 2 ** Math.min(attempt, 10)));
