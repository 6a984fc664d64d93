import { setImmediate } from 'node:timers/promises';
import { type PlainWrites, writeBatches } from './batch-write.ts';
import { getItems, type Reads } from './read.ts';

/** The reads and writes of consumers. Reads are strongly consistent. Writes have no conditions, and throw if some fail. */
export interface TableRequests {
  getItems: Reads['getItems'];
  write(writes: PlainWrites): Promise<void>;
}

/** Sends each request separately. */
export const separateRequests: TableRequests = {
  getItems,
  write: (writes) => writeBatches([writes]),
};

/**
 * Sends requests together that start in the same turn of the event loop, such as those for the messages of a batch. If
 * that fails, sends each request separately, so that a request cannot make others fail.
 */
export const gatheredRequests = (): TableRequests => ({
  getItems: gathered(async (all) => {
    const items = await getItems(all.flat());
    return all.map((keys) => items.splice(0, keys.length));
  }),
  write: gathered(async (all) => {
    await writeBatches(all);
    return all.map(() => undefined);
  }),
});

/** Returns a function that collects its inputs until the end of the turn, and then runs `runAll` for all of them. */
function gathered<I, O>(runAll: (inputs: I[]) => Promise<O[]>): (input: I) => Promise<O> {
  let waiting: I[] = [];
  let running: Promise<(O | Promise<O>)[]> | undefined;
  const run = async () => {
    await setImmediate();
    const inputs = waiting;
    waiting = [];
    running = undefined;
    if (inputs.length === 1) return runAll(inputs);
    return runAll(inputs).catch(() => inputs.map(async (input) => (await runAll([input]))[0] as O));
  };
  return async (input) => {
    const at = waiting.push(input) - 1;
    running ??= run();
    return (await running)[at] as O;
  };
}
