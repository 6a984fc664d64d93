import type { Bounds, QueryResult } from './read.ts';

/** Where a list of `R` comes from: records as they are stored, `S`, which hold all that it is filtered and sorted by. */
export interface ListSource<R, S = R> {
  /** The newest records, as far as the bounds let it read. */
  newest(bounds: Bounds): Promise<QueryResult<S>>;
  /** How many there are in all. */
  total(): Promise<number>;
  /** The records of a page as the list shows them. */
  show(page: S[]): Promise<R[]>;
}

/** A read that is made once, on the first call. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** A short list that is always read whole: once, on the first call. */
export function shortListSource<R>(read: () => Promise<R[]>): ListSource<R> {
  const all = readOnce(read);
  return {
    newest: async ({ limit }) => ({ items: (await all()).slice(0, limit) }),
    total: async () => (await all()).length,
    show: async (page) => page,
  };
}
