import {
  type Counted,
  callCounterKey,
  callLimit,
  callsBySession,
  callsOf,
  countCall,
  isPastLimit,
  minuteOf,
  secondsLeft,
} from '../auth/call-limit.ts';
import { type Principal, principalOf, subjectOf } from '../auth/caller.ts';
import type { Identity } from '../auth/identity.ts';
import { isUseOld, lastUseKeyOf, noteUse } from '../auth/last-use.ts';
import type { Item } from '../table/item.ts';
import { type Key, limitedKey } from '../table/keys.ts';
import { announceOnce } from './announce-once.ts';
import { runBeside } from './beside.ts';
import { Refusal } from './errors.ts';
import { seal } from './seal.ts';
import type { HttpEvent, Turn } from './turn.ts';

/** What is read along with a caller to count its calls: the minute's counter, and when a key was last used. */
export const countersOf = (identity: Identity, now: Date): Key[] => [
  callCounterKey(callsOf(identity), now),
  ...(identity.kind === 'key' ? [lastUseKeyOf(identity)] : []),
];

/** Notes beside the request that a key was used, unless it was noted within the hour. */
export function noteLastUse(turn: Turn, identity: Identity, lastUse: Item | undefined): void {
  if (identity.kind === 'key' && isUseOld(lastUse, turn.now))
    runBeside(turn, 'note last use', () => noteUse(identity, turn.now));
}

/**
 * Counts the call of somebody who was proved, as many times as it weighs, beside the rest of the request. Past the
 * stage's limit refuses with `too_many_requests` until the minute is over, and announces it once.
 */
export function limitCalls(
  event: HttpEvent,
  turn: Turn,
  principal: Principal,
  counter: Item | undefined,
  weight: number,
): void {
  if (count(turn, callsOf(principal), counter, weight) <= callLimit()) return;
  const { home, log: account, actor } = principal;
  const minute = minuteOf(turn.now);
  const mark = limitedKey(home, principalOf(principal), minute);
  const data = { limit: callLimit(), minute };
  const announcement = {
    kind: 'api_rate_limited',
    account,
    actor,
    subject: subjectOf(principal),
    data,
  } as const;
  runBeside(turn, 'announce limit', () => announceOnce(mark, () => seal(announcement, event, turn), turn));
  throw tooMany(turn);
}

/**
 * Counts a call by a token that we signed and whose session has ended. Past the limit it is `too_many_requests`: a
 * client that does not notice its logout is told to wait.
 */
export function limitEndedSession(turn: Turn, { home, sessionId }: Identity): void {
  if (sessionId === undefined) return;
  if (count(turn, callsBySession(home, sessionId), undefined, 1) > callLimit()) throw tooMany(turn);
}

/** Refuses a token that met that limit before anything is read for it. */
export function refuseEndedSession(turn: Turn, { home, sessionId }: Identity): void {
  if (sessionId !== undefined && isPastLimit(callsBySession(home, sessionId), turn.now)) throw tooMany(turn);
}

function count(turn: Turn, counted: Counted, counter: Item | undefined, weight: number): number {
  const { calls, write } = countCall(counted, counter, turn.now, weight);
  if (write) runBeside(turn, 'count calls', write);
  return calls;
}

const tooMany = ({ now }: Turn): Refusal =>
  new Refusal('too_many_requests', { headers: { 'retry-after': String(secondsLeft(now)) } });
