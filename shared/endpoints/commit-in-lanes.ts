import { busy } from '../errors.ts';
import type { CommitOptions } from '../events/outbox.ts';
import { backoff } from '../table/backoff.ts';
import { VersionConflict } from '../table/transact.ts';

/** The number of parallel lanes. Each lane updates two of the 16 shards of the totals, so lanes do not conflict. */
const lanes = 8;

/** No item is started in the last 2 s of a request, and no item is retried in the last second. */
const lastStart = 2_000;
const lastRetry = 1_000;

/** Returns the time after which no item is retried, in milliseconds since 1970. */
export const retryDeadline = (deadline: number): number => deadline - lastRetry;

interface Lanes<T, R> {
  /** Returns the result of an item that was not started in time. */
  late(item: T): R;
  run(item: T, index: number, shards: readonly number[]): Promise<R>;
}

/**
 * Processes the items in parallel lanes, and returns the results in their order. Each item is committed separately.
 * `deadline` is that of the request, in milliseconds since 1970.
 */
export async function commitInLanes<T, R>(
  items: readonly T[],
  deadline: number,
  { late, run }: Lanes<T, R>,
): Promise<R[]> {
  const results: R[] = [];
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const shards = [lane, lane + lanes];
      for (const [index, item] of items.entries())
        if (index % lanes === lane)
          results[index] = Date.now() >= deadline - lastStart ? late(item) : await run(item, index, shards);
    }),
  );
  return results;
}

/**
 * Attempts to commit an item until its transaction meets no conflict. `shards` are those of the item's lane, if it has one.
 * `attempt` must read the records again after the first call. Throws `busy` after the deadline, and the other errors of
 * `attempt`.
 */
export async function untilCommitted<R>(
  deadline: number,
  shards: readonly number[] | undefined,
  attempt: (options: CommitOptions) => Promise<R>,
): Promise<R> {
  const last = retryDeadline(deadline);
  for (let attempts = 0; ; ) {
    try {
      return await attempt({ shards, attempts, deadline: last });
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      if (Date.now() >= last) throw busy();
      attempts = error.attempts;
      await backoff(attempts);
    }
  }
}
