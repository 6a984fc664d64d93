export interface StepOutcome {
  name: string;
  milliseconds: number;
  error?: string;
}

export interface Steps {
  /** Runs a step. If the step fails, the run ends. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Registers a cleanup step. Cleanup always runs at the end, in reverse order. */
  atEnd(name: string, cleanUp: () => Promise<unknown>): void;
  /** Calls `read` until it returns a value. Throws after a minute. */
  poll<T>(read: () => Promise<T | undefined>): Promise<T>;
}

const pollTimeout = 60_000;
const pollPause = 250;

class StepFailed extends Error {}

/**
 * Runs steps in order, then the cleanup steps. Reports each outcome immediately and returns all outcomes. If `signal`
 * is aborted, no further step starts, but the cleanup steps still run.
 */
export async function runSteps(
  run: (steps: Steps) => Promise<void>,
  report: (outcome: StepOutcome) => void,
  signal: AbortSignal,
): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  const cleanups: (() => Promise<unknown>)[] = [];
  const step: Steps['step'] = async (name, work) => {
    const began = performance.now();
    const end = (failure?: { error: string }) => {
      const outcome = { name, milliseconds: Math.round(performance.now() - began), ...failure };
      outcomes.push(outcome);
      report(outcome);
    };
    try {
      const result = await work();
      end();
      return result;
    } catch (error) {
      end({ error: error instanceof Error ? error.message : String(error) });
      throw new StepFailed();
    }
  };
  const throwIfInterrupted = () => {
    if (signal.aborted) throw new Error('Interrupted.');
  };
  const steps: Steps = {
    step: (name, work) =>
      step(name, () => {
        throwIfInterrupted();
        return work();
      }),
    atEnd: (name, cleanUp) => void cleanups.unshift(() => step(name, cleanUp)),
    async poll(read) {
      for (const deadline = Date.now() + pollTimeout; ; ) {
        const value = await read();
        if (value !== undefined) return value;
        throwIfInterrupted();
        if (Date.now() > deadline) throw new Error(`Nothing arrived within ${pollTimeout / 1000} seconds.`);
        await new Promise((resolve) => setTimeout(resolve, pollPause));
      }
    },
  };
  const ignoreFailedStep = (error: unknown) => {
    if (!(error instanceof StepFailed)) throw error;
  };
  await run(steps).catch(ignoreFailedStep);
  for (const cleanUp of cleanups) await cleanUp().catch(ignoreFailedStep);
  return outcomes;
}
