import { clock } from './clock.ts';

/**
 * Moves the clock to a minute without calls and sends a first call. The first and every tenth call of a minute also
 * write a counter, which would change the measured cost of a call.
 */
export async function inQuietMinute(firstCall: () => Promise<unknown>): Promise<void> {
  clock.advance(65_000 - (clock.now().getTime() % 60_000));
  await firstCall();
}
