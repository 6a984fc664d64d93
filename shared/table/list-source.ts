import { digits } from './keys.ts';
import type { Bounds, QueryResult } from './read.ts';
import type { RecordIndex } from './read-index.ts';

/** The source of a list. `S` is a record with all fields for filters and sorting, `R` is a record as in responses. */
export interface ListSource<R, S = R> {
  /** The newest records, within the bounds, or the oldest ones with `oldestFirst`. */
  newest(bounds: Bounds): Promise<QueryResult<S>>;
  total(): Promise<number>;
  /** Converts the records of a page for the response. */
  show(page: S[]): Promise<R[]>;
  /** Present if the search index contains the records. */
  index?: RecordIndex<S>;
  /** Present if an index of the table contains the records by their owner, whose id is in the field. */
  heldBy?: {
    field: string;
    list(owners: readonly string[]): Pick<ListSource<R, S>, 'newest'>;
    totals(owners: readonly string[], participants: readonly string[]): Promise<HeldTotals>;
  };
}

/** The number of records of some users, and of the records of others in which some users take part. */
export interface HeldTotals {
  held: number;
  shared: number;
}

/** Wraps a read so that it runs once, on the first call. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** Returns the reads of a source with converted records. `readConvert` is called in parallel with each read. */
export function converted<R, S, T>(
  { newest, total, index }: Omit<ListSource<R, S>, 'show'>,
  readConvert: () => Promise<(record: S) => T>,
): Omit<ListSource<R, T>, 'show'> {
  return {
    total,
    async newest(bounds) {
      const [found, convert] = await Promise.all([newest(bounds), readConvert()]);
      return { ...found, items: found.items.map(convert) };
    },
    index: index && {
      read: index.read,
      async load(ids) {
        const [records, convert] = await Promise.all([index.load(ids), readConvert()]);
        return records.map((found) => found && { ...found, record: convert(found.record) });
      },
    },
  };
}

/** The source of a short list. The first call reads the whole list. If `before` is given, sorts the list by id. */
export function shortListSource<R extends { id: number }>(read: () => Promise<R[]>): ListSource<R> {
  const all = readOnce(read);
  return {
    async newest({ limit, before, oldestFirst }) {
      const records = oldestFirst ? (await all()).toReversed() : await all();
      if (before === undefined) return { items: records.slice(0, limit) };
      const sorted = records.toSorted((one, other) => other.id - one.id);
      const items = sorted.filter(({ id }) => before === '' || digits(id) < before);
      return { items, positions: items.map(({ id }) => digits(id)) };
    },
    total: async () => (await all()).length,
    show: async (page) => page,
  };
}
