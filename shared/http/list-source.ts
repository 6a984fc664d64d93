/** Where a list comes from. */
export interface ListSource<R> {
  /** The newest records, at most `limit`. */
  newest(limit: number): Promise<R[]>;
  /** How many there are in all. */
  total(): Promise<number>;
}

/** A list that is so short that it is always read whole, once and when it is first asked for. */
export function listedWhole<R>(read: () => Promise<R[]>): ListSource<R> {
  let reading: Promise<R[]> | undefined;
  const all = () => {
    reading ??= read();
    return reading;
  };
  return {
    newest: async (limit) => (await all()).slice(0, limit),
    total: async () => (await all()).length,
  };
}
