import { clock } from './clock.ts';

/**
 * Moves the clock to the start of the next minute. Requests are limited per minute, so a test of this limit must run
 * within one minute.
 */
export const nextMinute = (): void => clock.advance(60_000 - (clock.now().getTime() % 60_000));

/**
 * Moves the clock to a minute in which no call was made yet, and sends the first call of this minute. The first and
 * every tenth call of a minute also write a counter, which would change the measured cost of a call.
 */
export async function inQuietMinute(firstCall: () => Promise<unknown>): Promise<void> {
  nextMinute();
  clock.advance(5_000);
  await firstCall();
}
