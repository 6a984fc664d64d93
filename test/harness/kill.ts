import { type Invocation, watchWire } from './wire.ts';

/** Whether a killed call has taken effect. */
export type Moment = 'before' | 'after';

/**
 * The first call at which a function is killed if only every n-th call is. It differs between the two moments, so that
 * they cover different calls.
 */
export const firstKill = (moment: Moment, every: number): number => (moment === 'after' && every > 1 ? 2 : 1);

/** Counts the calls of our functions over the wire during `run`, as `killAt` does, or the calls of one function. */
export async function countCalls(run: () => Promise<unknown>, functionName?: string): Promise<number> {
  let calls = 0;
  const stop = watchWire({
    before({ invocation }) {
      if (invocation && isOf(invocation, functionName)) calls += 1;
    },
  });
  try {
    await run();
    return calls;
  } finally {
    stop();
  }
}

const isOf = (invocation: Invocation, functionName: string | undefined): boolean =>
  functionName === undefined || invocation.functionName === functionName;

/**
 * Runs something until it ends, or until one of our functions is killed at its n-th outgoing call. Calls to every AWS
 * service count, from 1, over all functions or for the named one. A killed call never returns, before or after its
 * effect, and the run sends no later call. No catch block of that run is executed. Returns whether a function was
 * killed.
 *
 * The next drain repeats the work of the killed run.
 */
export async function killAt(
  n: number,
  moment: Moment,
  run: () => Promise<unknown>,
  functionName?: string,
): Promise<boolean> {
  const dead = new Set<Invocation>();
  let [calls, die] = [0, () => {}];
  const killed = new Promise<true>((resolve) => {
    die = () => resolve(true);
  });
  let last: object | undefined;
  const kill = (invocation: Invocation) => {
    dead.add(invocation);
    die();
  };
  const whileAlive = (invocation: Invocation | undefined) =>
    invocation && dead.has(invocation) ? new Promise<never>(() => {}) : undefined;
  const stop = watchWire({
    before(request) {
      const { invocation } = request;
      if (invocation && isOf(invocation, functionName) && !dead.has(invocation) && ++calls === n) {
        last = request;
        if (moment === 'before') kill(invocation);
      }
      return whileAlive(invocation);
    },
    done({ invocation }, request) {
      if (request === last && invocation) kill(invocation);
      return whileAlive(invocation);
    },
  });
  const wasKilled = await Promise.race([killed, run().then(() => false)]);
  // Keeps watching after a kill, so that the killed run stays stopped.
  if (!wasKilled) stop();
  return wasKilled;
}
