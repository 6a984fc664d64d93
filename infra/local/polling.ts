import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, but not past the signal. */
export const abortableSleep = (signal: AbortSignal, milliseconds: number): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {});

/**
 * Does something over and over until it says that it is over, or until the signal. What goes wrong is reported
 * once in a row, and tried again a second later: an engine that is away for a moment must not end a poller.
 */
export async function repeatUntil(
  signal: AbortSignal,
  what: string,
  step: () => Promise<'over' | 'again'>,
): Promise<void> {
  let failing = false;
  while (!signal.aborted) {
    try {
      if ((await step()) === 'over') return;
      failing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!failing) console.error(`${what} failed and is tried again: ${messageOf(error)}`);
      failing = true;
      await abortableSleep(signal, 1_000);
    }
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};
