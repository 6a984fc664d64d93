import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { watchWire } from './wire.ts';

/**
 * Returns the index of the waiting request that is sent next. `waiting` contains the actor number of each request, in
 * the order of arrival.
 */
export type Picks = (waiting: readonly number[]) => number;

/**
 * Runs actors concurrently but sends the requests of our functions one at a time. `pick` selects the next request after
 * the previous response was processed, so the same choices always give the same order of requests.
 */
export async function interleave<T>(actors: readonly (() => Promise<T>)[], pick: Picks): Promise<T[]> {
  const acting = new AsyncLocalStorage<number>();
  const waiting: { actor: number; go: () => void }[] = [];
  let [out, done] = [0, false];
  const stop = watchWire({
    async before({ invocation }) {
      const actor = acting.getStore();
      if (!invocation || actor === undefined) return;
      await new Promise<void>((go) => waiting.push({ actor, go }));
    },
    done({ invocation }) {
      if (invocation && acting.getStore() !== undefined) out -= 1;
    },
  });
  try {
    const running = Promise.all(actors.map((run, actor) => acting.run(actor, run))).finally(() => {
      done = true;
    });
    while (!done) {
      for (let idle = 0; idle < 10; idle++) await setImmediate();
      if (out > 0 || waiting.length === 0) continue;
      const [next] = waiting.splice(pick(waiting.map(({ actor }) => actor)) % waiting.length, 1);
      out += 1;
      next?.go();
    }
    return await running;
  } finally {
    stop();
    acting.disable();
    for (const { go } of waiting) go();
  }
}

/** Selects each request by the next number in a list. After the last number, the list starts again. */
export function byChoice(choices: readonly number[]): Picks {
  let next = 0;
  return () => choices[next++ % choices.length] ?? 0;
}

/**
 * Lets one actor send its first `after` requests, and delays its other requests until all other actors are done.
 * `first` selects which of several waiting requests of an actor is sent first.
 */
export function heldUp(actor: number, after: number, first: 'oldest' | 'newest'): Picks {
  let sent = 0;
  return (waiting) => {
    const find = (wanted: (one: number) => boolean) =>
      first === 'oldest' ? waiting.findIndex(wanted) : waiting.findLastIndex(wanted);
    const own = find((one) => one === actor);
    const others = find((one) => one !== actor);
    const chosen = own >= 0 && (sent < after || others < 0) ? own : others;
    if (chosen === own) sent += 1;
    return chosen;
  };
}

/**
 * Runs `happen` once, directly before the next transaction is sent. `happen` can change items that the function has
 * already read, so that the conditions of the transaction fail.
 */
export function beforeNextTransaction(happen: () => Promise<unknown>): void {
  const stop = watchWire({
    async before({ operation }) {
      if (operation !== 'TransactWriteItems') return;
      stop();
      await happen();
    },
  });
}
