import { countOf, increment } from '../table/counter.ts';
import type { Item } from '../table/item.ts';
import { callsKey, type Key } from '../table/keys.ts';
import { principalOf } from './caller.ts';
import type { Identity } from './identity.ts';

/** Requests a principal may make in a minute, as the stage sets it. */
export const callLimit = (): number => Number(process.env.REQUESTS_PER_MINUTE ?? 600);

/** Every tenth call of an instance is written down; the ones between are only remembered. */
const written = 10;

/** What this instance has counted of a principal in a minute and not written down yet. */
const unwritten = new Map<string, { minute: string; calls: number; seen: number }>();
const mostPrincipals = 10_000;

/** The minute of an instant, such as `2026-03-01T09:30`. */
export const minuteOf = (now: Date): string => now.toISOString().slice(0, 16);

/** Seconds until a minute is over. */
export const secondsLeft = (now: Date): number => 60 - now.getUTCSeconds();

export const callCounterKey = (identity: Identity, now: Date): Key =>
  callsKey(identity.home, principalOf(identity), minuteOf(now));

/**
 * Counts a call of this instance, `weight` times. `calls` is how many the principal made this minute, as far as is known: what all
 * instances wrote down and what this one remembers. `write` is the update that is due on a minute's first and on
 * every tenth call; it runs beside the handler and costs no round trip.
 */
export function countCall(
  identity: Identity,
  counter: Item | undefined,
  now: Date,
  weight = 1,
): { calls: number; write?: () => Promise<unknown> } {
  const principal = `${identity.home}/${principalOf(identity)}`;
  const minute = minuteOf(now);
  let mine = unwritten.get(principal);
  if (mine?.minute !== minute) {
    if (unwritten.size >= mostPrincipals) unwritten.clear();
    mine = { minute, calls: 0, seen: 0 };
    unwritten.set(principal, mine);
  }
  const first = mine.seen === 0;
  mine.calls += weight;
  mine.seen += weight;
  const calls = Math.max(countOf(counter, now) + mine.calls, mine.seen);
  if (!first && mine.calls < written) return { calls };
  const amount = mine.calls;
  mine.calls = 0;
  return { calls, write: () => increment(callCounterKey(identity, now), amount, hourAfter(now)) };
}

/** A minute's counter is of no use after it. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
