import { ApiError } from '../errors.ts';
import { isUseOld, lastUseKeyOf, recordUse } from '../people/apikeys/last-use.ts';
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
} from '../security/call-limit.ts';
import type { Credential } from '../security/credential.ts';
import {
  type Applicant,
  type AuthenticatedPrincipal,
  principalKeyOf,
  subjectOf,
} from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { runInBackground } from './background-writes.ts';
import { emitOnceInBackground } from './emit-once.ts';
import { limitedKey } from './keys.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';

/** What is read along with a principal to count its calls: the minute's counter, and when a key was last used. */
export const countersOf = (credential: Credential, now: Date): Key[] => [
  callCounterKey(callsOf(credential), now),
  ...(credential.kind === 'key' ? [lastUseKeyOf(credential)] : []),
];

/** Notes beside the request that a key was used, unless it was noted within the hour; a dry run is no use. */
export function noteLastUse(
  requestContext: RequestContext,
  credential: Credential,
  lastUse: Item | undefined,
): void {
  if (credential.kind === 'key' && !requestContext.dryRun && isUseOld(lastUse, requestContext.now))
    runInBackground(requestContext, 'note last use', () => recordUse(credential, requestContext.now));
}

/** How a call counts. */
interface Counting {
  /** As how many calls it counts. Default 1. */
  weight?: number;
  /**
   * Counts it in this instance only, and emits no event past the limit. Only for a dry run, which changes nothing, of a
   * caller who may read the records: others could use dry runs to guess, and the limit must hold across instances.
   */
  remembered?: boolean;
}

/**
 * Counts the call of somebody who was proved, beside the rest of the request. Past the stage's limit throws
 * `too_many_requests` until the minute ends, and emits one event.
 */
export function limitCalls(
  event: HttpEvent,
  requestContext: RequestContext,
  principal: AuthenticatedPrincipal | Applicant,
  counter: Item | undefined,
  counting: Counting = {},
): void {
  if (count(requestContext, callsOf(principal), counter, counting) <= callLimit()) return;
  if (counting.remembered) throw tooMany(requestContext);
  const { home, log: account, actor } = principal;
  const minute = minuteOf(requestContext.now);
  const mark = limitedKey(home, principalKeyOf(principal), minute);
  const data = { limit: callLimit(), minute };
  const draft = {
    kind: 'api_rate_limited',
    account,
    actor,
    subject: subjectOf(principal),
    data,
  } as const;
  emitOnceInBackground('emit limit', mark, draft, event, requestContext);
  throw tooMany(requestContext);
}

/**
 * Counts a call by a token that we signed and whose session has ended. Past the limit it is `too_many_requests`: a
 * client that does not notice its logout is told to wait.
 */
export function limitEndedSession(requestContext: RequestContext, { home, sessionId }: Credential): void {
  if (sessionId === undefined) return;
  if (count(requestContext, callsBySession(home, sessionId), undefined) > callLimit())
    throw tooMany(requestContext);
}

/** Rejects a token that met that limit before anything is read for it. */
export function rejectEndedSession(requestContext: RequestContext, { home, sessionId }: Credential): void {
  if (sessionId !== undefined && isPastLimit(callsBySession(home, sessionId), requestContext.now))
    throw tooMany(requestContext);
}

function count(
  requestContext: RequestContext,
  counted: Counted,
  counter: Item | undefined,
  counting: Counting = {},
): number {
  const { calls, write } = countCall(counted, counter, requestContext.now, counting);
  if (write) runInBackground(requestContext, 'count calls', write);
  return calls;
}

const tooMany = ({ now }: RequestContext): ApiError =>
  new ApiError('too_many_requests', { headers: { 'retry-after': String(secondsLeft(now)) } });
