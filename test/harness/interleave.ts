import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { watchWire } from './wire.ts';

/** Picks who goes next: the requests that wait, each by the number of its actor, in the order they came. */
export type Picks = (waiting: readonly number[]) => number;

/**
 * Runs actors at once and lets the requests of our functions out one at a time: of those that wait the one that is
 * picked goes, and the others stay until its response is there and whoever wanted it has moved on. So the same picks
 * make the same order of requests.
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

/** As the choices say, and from their beginning again when they are used up. */
export function byChoice(choices: readonly number[]): Picks {
  let next = 0;
  return () => choices[next++ % choices.length] ?? 0;
}

/**
 * One actor goes first and is held up after so many requests until the others have done all of theirs. Of several
 * requests that an actor sends at once the oldest goes first, or the newest.
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
 * Lets something happen, once, between the reads that the next transaction was decided on and the transaction itself:
 * its conditions must then fail.
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
