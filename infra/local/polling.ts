import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '../../shared/log.ts';
import { printable } from '../../shared/printable.ts';

/** A step that is repeated in the background. `stop` resolves when the current step has ended. */
export interface Poller {
  stop(): Promise<void>;
}

/** Resolves after the time, or earlier if the signal aborts. */
export const abortableSleep = (signal: AbortSignal, milliseconds: number): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {});

/** Repeats the step until the poller is stopped. The messages of logged errors start with `task`. */
export function startPoller(task: string, step: (signal: AbortSignal) => Promise<void>): Poller {
  const stopping = new AbortController();
  const polling = repeatUntil(stopping.signal, task, () => step(stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

/**
 * Repeats the step until it returns 'finished' or the signal aborts. After an error, retries every second, because an
 * engine may be unavailable for a moment. Logs only the first of several consecutive errors.
 */
export async function repeatUntil(
  signal: AbortSignal,
  task: string,
  step: () => Promise<unknown>,
): Promise<void> {
  let failing = false;
  while (!signal.aborted) {
    try {
      if ((await step()) === 'finished') return;
      failing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!failing) console.error(`${task} failed, retrying every second: ${errorLine(error)}`);
      failing = true;
      await abortableSleep(signal, 1_000);
    }
  }
}

/** Returns the message of an error, with the message of its cause, as one line. */
export const errorLine = (error: unknown): string => {
  const { message, cause } = failureOf(error);
  return printable(cause ? `${message} (${cause.message})` : message);
};
