/** Waits with full jitter: a random time below a ceiling that doubles from 50 ms to `longest` (milliseconds). */
export const backoff = (attempt: number, longest = 1000): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(longest, 25 * 2 ** Math.min(attempt, 10)));
  });
