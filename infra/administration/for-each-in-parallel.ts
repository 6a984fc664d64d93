/** Runs `work` for all values, at most `limit` at the same time. After an error, waits for the started work and throws. */
export async function forEachInParallel<T>(
  limit: number,
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...all].reverse();
  const errors: unknown[] = [];
  const worker = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
      await work(one).catch((error: unknown) => {
        errors.push(error);
        waiting.length = 0;
      });
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (errors.length > 0) throw errors[0];
}
