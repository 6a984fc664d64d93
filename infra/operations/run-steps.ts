/** What became of a step. */
export interface StepOutcome {
  name: string;
  milliseconds: number;
  /** Why it failed, in one sentence. */
  error?: string;
}

/** What a run of steps is written with. */
export interface Steps {
  /** Does one step. What it throws is told, and ends the run. */
  step<T>(name: string, does: () => Promise<T>): Promise<T>;
  /** Undoes something when the run ends, however it does; what was done last is undone first. */
  atEnd(name: string, undo: () => Promise<unknown>): void;
  /** Asks again and again until the answer is not undefined. Throws where that takes a minute. */
  until<T>(ask: () => Promise<T | undefined>): Promise<T>;
}

const longest = 60_000;
const pause = 250;

class Ended extends Error {}

/**
 * Runs steps one after the other, and what undoes them: the outcomes of both, each told as soon as it is known. After the
 * signal no further step begins, but what was done is undone.
 */
export async function runSteps(
  run: (steps: Steps) => Promise<void>,
  tell: (outcome: StepOutcome) => void,
  signal: AbortSignal,
): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  const undoing: (() => Promise<unknown>)[] = [];
  const step: Steps['step'] = async (name, does) => {
    const began = performance.now();
    const told = (error?: unknown) => {
      const milliseconds = Math.round(performance.now() - began);
      const outcome = { name, milliseconds, ...(error !== undefined && { error: sentenceOf(error) }) };
      outcomes.push(outcome);
      tell(outcome);
    };
    try {
      const result = await does();
      told();
      return result;
    } catch (error) {
      told(error);
      throw new Ended();
    }
  };
  const steps: Steps = {
    step: (name, does) =>
      step(name, () => {
        if (signal.aborted) throw new Error('It was interrupted.');
        return does();
      }),
    atEnd: (name, undo) => void undoing.unshift(() => step(name, undo)),
    async until(ask) {
      const deadline = Date.now() + longest;
      for (;;) {
        const answer = await ask();
        if (answer !== undefined) return answer;
        if (signal.aborted) throw new Error('It was interrupted.');
        if (Date.now() > deadline) throw new Error(`It did not come within ${longest / 1000} seconds.`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
  await run(steps).catch(unlessEnded);
  for (const undo of undoing) await undo().catch(unlessEnded);
  return outcomes;
}

/** A step that failed has told so. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Ended)) throw error;
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
