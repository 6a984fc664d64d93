import type { AccountId } from '../accounts/account-id.ts';
import { countOf, increment } from '../table/counter.ts';
import type { Item } from '../table/item.ts';
import { callsKey, type Key } from '../table/keys.ts';
import { principalOf } from './caller.ts';
import type { Identity } from './identity.ts';

/** Requests a principal may make in a minute, as the stage sets it. */
export const callLimit = (): number => Number(process.env.REQUESTS_PER_MINUTE ?? 600);

/** Every tenth call of an instance is written down; the ones between are only remembered. */
const writtenEvery = 10;

/** Whose calls are counted together. */
export interface Counted {
  home: AccountId;
  name: string;
}

/** The calls of a principal, by whatever session or key. */
export const callsOf = (principal: Pick<Identity, 'home' | 'kind' | 'id'>): Counted => ({
  home: principal.home,
  name: principalOf(principal),
});

/** The calls of one session: those of one that has ended are counted apart, and take nothing from its holder's. */
export const callsBySession = (home: AccountId, sessionId: string): Counted => ({
  home,
  name: `session:${sessionId}`,
});

/** What this instance knows of the calls of somebody in a minute. */
interface Tally {
  minute: string;
  /** Counted here and not written down yet. */
  unwritten: number;
  /** Counted here in all. */
  seen: number;
  /** What all instances had written down when this one last did. */
  written: number;
}

const tallies = new Map<string, Tally>();
const mostTallies = 10_000;

/** The minute of an instant, such as `2026-03-01T09:30`. */
export const minuteOf = (now: Date): string => now.toISOString().slice(0, 16);

/** Seconds until a minute is over. */
export const secondsLeft = (now: Date): number => 60 - now.getUTCSeconds();

export const callCounterKey = ({ home, name }: Counted, now: Date): Key =>
  callsKey(home, name, minuteOf(now));

function tallyOf({ home, name }: Counted, now: Date): Tally {
  const minute = minuteOf(now);
  const known = tallies.get(`${home}/${name}`);
  if (known?.minute === minute) return known;
  if (tallies.size >= mostTallies) tallies.clear();
  const fresh = { minute, unwritten: 0, seen: 0, written: 0 };
  tallies.set(`${home}/${name}`, fresh);
  return fresh;
}

const callsIn = ({ unwritten, seen, written }: Tally, counter = 0): number =>
  Math.max(Math.max(counter, written) + unwritten, seen);

/** Whether somebody is past the limit of the minute, by what this instance knows without reading anything. */
export const isPastLimit = (counted: Counted, now: Date): boolean =>
  callsIn(tallyOf(counted, now)) > callLimit();

/**
 * Counts a call of this instance, `weight` times. `calls` is how many were made this minute, as far as is known:
 * what all instances wrote down and what this one remembers. `write` is the update that is due on a minute's first
 * and on every tenth call; it runs beside the handler and costs no round trip.
 */
export function countCall(
  counted: Counted,
  counter: Item | undefined,
  now: Date,
  weight = 1,
): { calls: number; write?: () => Promise<unknown> } {
  const tally = tallyOf(counted, now);
  const first = tally.seen === 0;
  tally.unwritten += weight;
  tally.seen += weight;
  const calls = callsIn(tally, countOf(counter, now));
  if (!first && tally.unwritten < writtenEvery) return { calls };
  const amount = tally.unwritten;
  tally.unwritten = 0;
  const write = async () => {
    const total = await increment(callCounterKey(counted, now), amount, hourAfter(now));
    tally.written = Math.max(tally.written, total);
  };
  return { calls, write };
}

/** A minute's counter is of no use after it. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
