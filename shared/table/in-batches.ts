/** Runs `work` for all values, `size` values in parallel. */
export async function inBatches<T, R>(
  size: number,
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += size)
    results.push(...(await Promise.all(all.slice(start, start + size).map(work))));
  return results;
}
