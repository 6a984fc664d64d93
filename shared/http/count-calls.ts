import { callCounterKey, callLimit, countCall, minuteOf, secondsLeft } from '../auth/call-limit.ts';
import { principalOf, subjectOf } from '../auth/caller.ts';
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
  callCounterKey(identity, now),
  ...(identity.kind === 'key' ? [lastUseKeyOf(identity)] : []),
];

/**
 * Counts the call of a proven caller, as many times as it weighs, beside the rest of the request. Past the stage's
 * limit refuses with `too_many_requests` until the minute is over, and announces it once.
 */
export function limitCalls(
  event: HttpEvent,
  turn: Turn,
  identity: Identity,
  [counter, lastUse]: readonly (Item | undefined)[],
  weight: number,
): void {
  const { calls, write } = countCall(identity, counter, turn.now, weight);
  if (write) runBeside(turn, 'count calls', write);
  if (identity.kind === 'key' && isUseOld(lastUse, turn.now))
    runBeside(turn, 'note last use', () => noteUse(identity, turn.now));
  if (calls <= callLimit()) return;
  const minute = minuteOf(turn.now);
  const mark = limitedKey(identity.home, principalOf(identity), minute);
  const data = { limit: callLimit(), minute };
  const subject = subjectOf(identity);
  const announcement = { kind: 'api_rate_limited', account: turn.caller?.log, subject, data } as const;
  runBeside(turn, 'announce limit', () => announceOnce(mark, () => seal(announcement, event, turn), turn));
  throw new Refusal('too_many_requests', { headers: { 'retry-after': String(secondsLeft(turn.now)) } });
}
