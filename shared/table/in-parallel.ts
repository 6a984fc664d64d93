/**
 * Runs independent reads in parallel. If several reads fail, throws the error of the first failed read in the list.
 * If the list contains a record before the body's references, an unknown record is therefore reported first.
 */
export async function inParallel<T extends readonly unknown[] | []>(
  reads: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}

/**
 * Reads a record and checks a reference of the request in parallel. If the record already has this reference, the
 * result of the check is ignored, so that an unchanged reference to a deleted or inactive record is accepted.
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

/**
 * Returns a started read whose error is thrown where `reading` is awaited, such as after a check that only `decide` can make.
 * The error would otherwise show the caller something about a hidden record.
 */
export function deferred<T>(reading: Promise<T>): { reading: Promise<T> } {
  reading.catch(() => undefined);
  return { reading };
}
