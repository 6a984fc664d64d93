/** Calls a function `count` times at once, with the numbers from 0, and returns all results in this order. */
export const concurrently = <R>(count: number, one: (n: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)));
