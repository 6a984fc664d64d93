/**
 * Runs independent reads in parallel. Where several throw, the error of the first one in the list is thrown,
 * whichever failed first, so that an unknown record is 404 before the references in a body are judged.
 */
export async function sideBySide<T extends readonly unknown[] | []>(
  reads: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}
