import {
  announceLimit,
  callCounterKey,
  callLimit,
  countCall,
  minuteOf,
  secondsLeft,
} from '../auth/call-limit.ts';
import { subjectOf } from '../auth/caller.ts';
import type { Identity } from '../auth/identity.ts';
import { isUseOld, lastUseKeyOf, noteUse } from '../auth/last-use.ts';
import type { Item } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { Refusal } from './errors.ts';
import { seal } from './seal.ts';
import type { HttpEvent, Passing, Turn } from './turn.ts';

/** What is read along with a caller to count its calls: the minute's counter, and when a key was last used. */
export const countersOf = (identity: Identity, now: Date): Key[] => [
  callCounterKey(identity, now),
  ...(identity.kind === 'key' ? [lastUseKeyOf(identity)] : []),
];

/**
 * Counts the call of a proven caller, beside the rest of the request. Past the stage's limit refuses with
 * `too_many_requests` until the minute is over, and announces it once.
 */
export function limitCalls(
  event: HttpEvent,
  turn: Turn,
  identity: Identity,
  [counter, lastUse]: readonly (Item | undefined)[],
): void {
  const { calls, write } = countCall(identity, counter, turn.now);
  if (write) turn.beside.push(write());
  if (identity.kind === 'key' && isUseOld(lastUse, turn.now)) turn.beside.push(noteUse(identity, turn.now));
  if (calls <= callLimit()) return;
  if (!counter?.limited) {
    const data = { limit: callLimit(), minute: minuteOf(turn.now) };
    const subject = subjectOf(identity);
    const announcement = { kind: 'api_rate_limited', account: turn.caller?.log, subject, data } as const;
    turn.beside.push(announceLimit(identity, seal(announcement, event, turn), turn.now));
  }
  throw new Refusal('too_many_requests', { headers: { 'retry-after': String(secondsLeft(turn.now)) } });
}

/** Waits for what ran beside the request: a function that has answered is frozen. What fails there is not missed. */
export function settleCounts() {
  const settle = async ({ context }: Passing) => {
    await Promise.allSettled(context.turn?.beside ?? []);
  };
  return { after: settle, onError: settle };
}
