import type { AccountId } from '../id/account-id.ts';
import { countOf, increment } from '../table/counters.ts';
import type { Item } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { callsKey } from './keys.ts';
import { type Principal, principalKeyOf } from './principal.ts';

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
export const callsOf = (principalKey: Pick<Principal, 'home' | 'kind' | 'id'>): Counted => ({
  home: principalKey.home,
  name: principalKeyOf(principalKey),
});

/** The calls of one session: those of one that has ended are counted apart, and take nothing from its holder's. */
export const callsBySession = (home: AccountId, sessionId: string): Counted => ({
  home,
  name: `session:${sessionId}`,
});

/** What this instance knows of the calls of somebody in a minute. */
interface CallCount {
  minute: string;
  /** This instance has written some of them down. */
  begun: boolean;
  /** Counted here and not written down yet. */
  unwritten: number;
  /** Counted here in all. */
  seen: number;
  /** What all instances had written down when this one last did. */
  written: number;
}

const callCounts = new Map<string, CallCount>();
const mostCallCounts = 10_000;

/** The minute of an instant, such as `2026-03-01T09:30`. */
export const minuteOf = (now: Date): string => now.toISOString().slice(0, 16);

/** Seconds until a minute is over. */
export const secondsLeft = (now: Date): number => 60 - now.getUTCSeconds();

export const callCounterKey = ({ home, name }: Counted, now: Date): Key =>
  callsKey(home, name, minuteOf(now));

function callCountOf({ home, name }: Counted, now: Date): CallCount {
  const minute = minuteOf(now);
  const known = callCounts.get(`${home}/${name}`);
  if (known?.minute === minute) return known;
  if (callCounts.size >= mostCallCounts) callCounts.clear();
  const fresh = { minute, begun: false, unwritten: 0, seen: 0, written: 0 };
  callCounts.set(`${home}/${name}`, fresh);
  return fresh;
}

const callsIn = ({ unwritten, seen, written }: CallCount, counter = 0): number =>
  Math.max(Math.max(counter, written) + unwritten, seen);

/** Whether somebody is past the limit of the minute, by what this instance knows without reading anything. */
export const isPastLimit = (counted: Counted, now: Date): boolean =>
  callsIn(callCountOf(counted, now)) > callLimit();

/**
 * Counts a call of this instance, `weight` times. `calls` is how many were made this minute, as far as is known:
 * what all instances wrote down and what this one remembers. `write` is the update that is due on a minute's first
 * and on every tenth call; it runs beside the handler and costs no round trip. A call that is to leave no trace (`remembered`) writes
 * none: the next one writes it down too.
 */
export function countCall(
  counted: Counted,
  counter: Item | undefined,
  now: Date,
  { weight = 1, remembered = false } = {},
): { calls: number; write?: () => Promise<unknown> } {
  const callCount = callCountOf(counted, now);
  callCount.unwritten += weight;
  callCount.seen += weight;
  const calls = callsIn(callCount, countOf(counter, now));
  if (remembered || (callCount.begun && callCount.unwritten < writtenEvery)) return { calls };
  callCount.begun = true;
  const amount = callCount.unwritten;
  callCount.unwritten = 0;
  const write = async () => {
    const total = await increment(callCounterKey(counted, now), amount, hourAfter(now));
    callCount.written = Math.max(callCount.written, total);
  };
  return { calls, write };
}

/** A minute's counter is of no use after it. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
