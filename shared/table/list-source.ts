import type { Bounds, Found } from './read.ts';

/** Where a list of `R` comes from: records as they are stored, `S`, which hold all that it is filtered and sorted by. */
export interface ListSource<R, S = R> {
  /** The newest records, as far as the bounds let it read. */
  newest(bounds: Bounds): Promise<Found<S>>;
  /** How many there are in all. */
  total(): Promise<number>;
  /** The records of a page as the list shows them. */
  show(page: S[]): Promise<R[]>;
}

/** A short list that is always read whole: once, on the first call. */
export function listedWhole<R>(read: () => Promise<R[]>): ListSource<R> {
  let reading: Promise<R[]> | undefined;
  const all = () => {
    reading ??= read();
    return reading;
  };
  return {
    newest: async ({ limit }) => ({ items: (await all()).slice(0, limit) }),
    total: async () => (await all()).length,
    show: async (page) => page,
  };
}
