/** Waits a random time (full jitter). The maximum doubles per attempt, from 50 ms up to `longest` milliseconds. */
export const backoff = (attempt: number, longest = 1000): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(longest, 25 * 2 ** Math.min(attempt, 10)));
  });
