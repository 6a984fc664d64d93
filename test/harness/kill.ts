import { type Invocation, watchWire } from './wire.ts';

/** Whether a call that is killed has had its effect. */
export type Moment = 'before' | 'after';

/**
 * The first call to kill at where it is done at every so manieth: before the first, and after the second, so that the two
 * moments look at different calls. Where it is done at each there is no choice.
 */
export const firstKill = (moment: Moment, every: number): number => (moment === 'after' && every > 1 ? 2 : 1);

/**
 * How many calls functions of ours make over the wire while something is done: what `killAt` counts. Of one function
 * alone where it is named.
 */
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
 * Does something until it is over, or until a function of ours is killed in it: its n-th outgoing call (to DynamoDB, SQS,
 * SES, SNS or whatever else, counted from 1 over all functions, or over the one that is named) never returns, before or after its effect, and no later
 * one of that run is sent. No catch of that run sees anything. Returns whether one was killed.
 *
 * What the killed run had in hand comes again with the next drain.
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
  // After a kill it watches on: a run that was killed must stay so.
  if (!wasKilled) stop();
  return wasKilled;
}
