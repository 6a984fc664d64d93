import type { AccountId } from '../id/account-id.ts';
import { counterValue, increment } from '../table/counters.ts';
import type { Item } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { callsKey } from './keys.ts';
import { type Principal, principalKeyOf } from './principal.ts';

/** Returns the allowed requests per minute and principal, as configured for the stage. Default 600. */
export const callLimit = (): number => Number(process.env.REQUESTS_PER_MINUTE ?? 600);

/** After this many calls that are not yet in the table, an instance adds them to the counter in the table. */
const writtenEvery = 10;

/** The name of a counter, and the account that contains the counter. */
export interface Counted {
  home: AccountId;
  name: string;
}

/** The counter of a principal, which counts the calls of all sessions of the principal. */
export const callsOf = (principalKey: Pick<Principal, 'home' | 'kind' | 'id'>): Counted => ({
  home: principalKey.home,
  name: principalKeyOf(principalKey),
});

/** The counter of all users and API keys of an account together. */
export const callsOfAccount = (account: AccountId): Counted => ({ home: account, name: 'account' });

/** The counter of an ended session. Calls with its token do not count toward the limit of the user. */
export const callsBySession = (home: AccountId, sessionId: string): Counted => ({
  home,
  name: `session:${sessionId}`,
});

/** The calls that this instance has counted in a minute. */
interface CallCount {
  minute: string;
  /** True after this instance started its first write in this minute. */
  begun: boolean;
  /** The calls that this instance has counted and not yet written. */
  unwritten: number;
  /** All calls that this instance has counted. */
  seen: number;
  /** The stored total after the last write of this instance. */
  written: number;
}

const callCounts = new Map<string, CallCount>();
const mostCallCounts = 10_000;

export const callMinute = (now: Date): string => now.toISOString().slice(0, 16);

export const secondsLeft = (now: Date): number => 60 - now.getUTCSeconds();

export const callCounterKey = ({ home, name }: Counted, now: Date): Key =>
  callsKey(home, name, callMinute(now));

function callCountOf({ home, name }: Counted, now: Date): CallCount {
  const minute = callMinute(now);
  const known = callCounts.get(`${home}/${name}`);
  if (known?.minute === minute) return known;
  if (callCounts.size >= mostCallCounts) callCounts.clear();
  const fresh = { minute, begun: false, unwritten: 0, seen: 0, written: 0 };
  callCounts.set(`${home}/${name}`, fresh);
  return fresh;
}

const callsIn = ({ unwritten, seen, written }: CallCount, counter = 0): number =>
  Math.max(Math.max(counter, written) + unwritten, seen);

/** Reports whether the limit of the minute is exceeded, based only on the calls known to this instance. */
export const isPastLimit = (counted: Counted, now: Date): boolean =>
  callsIn(callCountOf(counted, now)) > callLimit();

/**
 * Counts a call of this instance as `weight` calls. `calls` is the known number of calls in this minute: the
 * stored total plus the calls that this instance has not written yet. Returns `write` for the first call of a
 * minute, and whenever ten or more calls are unwritten. The caller of this function runs `write` in the
 * background. If `remembered` is true, `write` is never returned.
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
  const calls = callsIn(callCount, counterValue(counter, now));
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

/** Returns the time at which a counter expires. The counter is not needed after its minute. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
