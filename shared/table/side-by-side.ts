/**
 * Reads that do not need each other, in the time of the slowest. Of several refusals the first as listed is heard,
 * whichever came first: an unknown record is 404 before anything is said about what a body names.
 */
export async function sideBySide<T extends readonly unknown[] | []>(
  reads: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}
