/** Runs `work` for all values, at most `limit` at the same time. Starts no further work after an error. */
export async function inParallel<T>(
  limit: number,
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...all].reverse();
  const worker = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await work(one);
  };
  const stop = (error: unknown) => {
    waiting.length = 0;
    throw error;
  };
  await Promise.all(Array.from({ length: limit }, () => worker().catch(stop)));
}
