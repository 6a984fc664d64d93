import { afterAll, onTestFinished, vi } from 'vitest';
import { clock } from './clock.ts';
import { type Invocation, watchWire } from './wire.ts';

/** Whether a function is killed before or after its call takes effect. */
export type Moment = 'before' | 'after';

/**
 * The number of the first killed call if only every n-th call is killed. The number is different for `before` and
 * `after`, so that the two moments cover different calls.
 */
export const firstKill = (moment: Moment, every: number): number => (moment === 'after' && every > 1 ? 2 : 1);

const isOf = (invocation: Invocation, functionName: string | undefined): boolean =>
  functionName === undefined || invocation.functionName === functionName;

/** The killed functions of all runs. Their timers may start further calls, which no later run counts. */
const dead = new WeakSet<Invocation>();

let endKilledCalls = () => {};
const killedCall = new Promise<never>((_, reject) => {
  // Without a stack, because many functions may log it.
  endKilledCalls = () => reject(Object.assign(new Error('The function was killed.'), { stack: undefined }));
});
killedCall.catch(() => {});
// Otherwise, a killed consumer would reach its deadline during a later test file, and write to that file's log.
afterAll(() => endKilledCalls());

/** Hides the output of killed functions until the test ends. Then also resets the clock. */
export function hideKills(): void {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  onTestFinished(() => {
    vi.restoreAllMocks();
    clock.reset();
  });
}

/** Executes `run`. Returns the number of outgoing calls of the named function, among which `killAt` can choose one. */
export async function countCalls(run: () => Promise<unknown>, functionName: string): Promise<number> {
  let calls = 0;
  const stop = watchWire({
    before({ invocation }) {
      if (invocation && isOf(invocation, functionName) && !dead.has(invocation)) calls++;
    },
  });
  await run();
  stop();
  return calls;
}

/**
 * Executes `run` until it ends, or until one of our functions is killed at the n-th outgoing call. Calls to all AWS
 * services are counted from 1, for all functions together or only for the named function. A killed call does not return,
 * and the killed function sends no later call and executes no catch block before the end of the test file. Returns
 * whether a function was killed.
 *
 * The next drain repeats the work of the killed run.
 */
export async function killAt(
  n: number,
  moment: Moment,
  run: () => Promise<unknown>,
  functionName?: string,
): Promise<boolean> {
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
    invocation && dead.has(invocation) ? killedCall : undefined;
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
  // After a kill, the watcher remains active, because it blocks all later calls of the killed function.
  if (!wasKilled) stop();
  return wasKilled;
}
