import { clock } from './clock.ts';

/**
 * Moves the clock into a minute that nobody called in yet, and sends a first call. A minute's first call and every tenth
 * count themselves in the table beside what they do, which a measured call is not to do.
 */
export async function inQuietMinute(firstCall: () => Promise<unknown>): Promise<void> {
  clock.advance(65_000 - (clock.now().getTime() % 60_000));
  await firstCall();
}
