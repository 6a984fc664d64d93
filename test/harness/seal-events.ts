import type { AccountId } from '../../shared/id/account-id.ts';
import { mintedAt } from '../../shared/id/mint.ts';
import { sealNext } from '../../shared/integrity/event-seals/seal-events.ts';
import { eventsWithin } from '../../shared/integrity/event-seals/store.ts';
import { clock } from './clock.ts';

/** Seals the whole log of an account, regardless of the age of its events. Returns the id of the newest event. */
export async function sealAll(account: AccountId): Promise<number> {
  const now = clock.now();
  // Ids never decrease, so after a test that advanced the clock and reset it, new events have later times than the clock.
  const all = {
    from: '2025-01-01T00:00:00.000Z',
    to: new Date(now.getTime() + 30 * 86_400_000).toISOString(),
  };
  const newest = Number((await eventsWithin(account, all)).at(-1)?.sk);
  const to = new Date(mintedAt(newest).getTime() + 1).toISOString();
  const run = { deadline: Date.now() + 40_000, signal: new AbortController().signal };
  while (await sealNext(account, to, run));
  return newest;
}
