import { clock } from './clock.ts';

/**
 * Moves the clock to a minute in which no call was made yet, and sends the first call of this minute. The first and
 * every tenth call of a minute also write a counter, which would change the measured cost of a call.
 */
export async function inQuietMinute(firstCall: () => Promise<unknown>): Promise<void> {
  clock.advance(65_000 - (clock.now().getTime() % 60_000));
  await firstCall();
}
