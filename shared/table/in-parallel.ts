/**
 * Runs independent reads in parallel. Where several throw, the error of the first one in the list is thrown,
 * whichever failed first, so that an unknown record is 404 before the references in a body are judged.
 */
export async function inParallel<T extends readonly unknown[] | []>(
  reads: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}

/**
 * Reads a record and, in parallel, checks a reference of a request. If the record holds that reference already, the
 * result of the check is ignored and undefined is returned: a value that GET returned is accepted even if its target
 * was deleted or deactivated.
 */
export async function readAndCheck<R, T>(
  reading: Promise<R>,
  checking: T | Promise<T>,
  isHeld: (record: R) => boolean,
): Promise<[R, T | undefined]> {
  await Promise.allSettled([reading, checking]);
  const record = await reading;
  return [record, isHeld(record) ? undefined : await checking];
}
