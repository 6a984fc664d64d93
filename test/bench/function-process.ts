import { createRequire } from 'node:module';
import type { Context } from 'aws-lambda';

/**
 * Loads one function in a new process, as Lambda does, and measures the CPU time. This program is bundled
 * too, so that the process loads no other code. The first argument is the path of the function's bundle. If
 * the second is `prewarm`, the program calls the function's `prewarm` before the first event.
 */
const [path = '', mode] = process.argv.slice(2);

/** The CPU time of this process in milliseconds, including the threads that compile and collect garbage. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Bundle {
  handler: (event: unknown, context: Context) => Promise<unknown>;
  prewarm?: () => Promise<void>;
}

/** The CPU times of a batch of calls in milliseconds. Only the first batch loads the function. */
export interface Measured {
  load: number;
  prewarm: number;
  calls: number;
  responses: unknown[];
}

const context = {
  functionName: 'bench',
  awsRequestId: 'bench',
  getRemainingTimeInMillis: () => 29_000,
} as Context;

let bundle: Bundle | undefined;

process.on('message', async (events: unknown[]) => {
  const begun = cpu();
  bundle ??= createRequire(path)(path) as Bundle;
  const loaded = cpu();
  if (mode === 'prewarm') await bundle.prewarm?.();
  const ready = cpu();
  const responses: unknown[] = [];
  for (const event of events) responses.push(await bundle.handler(event, context));
  const measured = {
    load: loaded - begun,
    prewarm: ready - loaded,
    calls: cpu() - ready,
    responses,
  };
  process.send?.(measured satisfies Measured);
});
process.once('disconnect', () => process.exit());
