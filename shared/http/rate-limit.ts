import type { StoredAccount } from '../accounts/schema.ts';
import { type ApiError, tooManyRequests } from '../errors.ts';
import { isUseOld, lastUseKeyOf, recordUse } from '../people/apikeys/last-use.ts';
import {
  type Counted,
  callCounterKey,
  callLimit,
  callMinute,
  callsBySession,
  callsOf,
  callsOfAccount,
  countCall,
  isPastLimit,
  secondsLeft,
} from '../security/call-limit.ts';
import type { Credential } from '../security/credential.ts';
import {
  type Applicant,
  type AuthenticatedPrincipal,
  principalKeyOf,
  principalSubject,
} from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { runInBackground } from './background-writes.ts';
import { emitOnceInBackground } from './emit-in-background.ts';
import { limitedKey } from './keys.ts';
import type { Received, Validated } from './steps.ts';

/** The items that are read with the principal: the call counter of the minute, and the last use of an API key. */
export const countersOf = (credential: Credential, now: Date): { counter: Key; lastUse?: Key } => ({
  counter: callCounterKey(callsOf(credential), now),
  ...(credential.kind === 'key' && { lastUse: lastUseKeyOf(credential) }),
});

/** Records in the background that a key was used, at most once an hour and not for dry runs. */
export function noteLastUse(validated: Validated, credential: Credential, lastUse: Item | undefined): void {
  const { dryRun, now } = validated;
  if (credential.kind === 'key' && !dryRun && isUseOld(lastUse, now))
    runInBackground(validated, 'note last use', () => recordUse(credential, now));
}

/** How a call is counted toward the limit. */
interface Counting {
  /** The number by which this call increases the counter. Default 1. */
  weight?: number;
  /**
   * If true, counts the call only in this instance and emits no event. Set only for dry runs of callers who may read
   * the records. Other callers could use dry runs to guess values, so their calls are counted across all instances.
   */
  remembered?: boolean;
}

/**
 * Counts the call of an authenticated principal in the background. Above the stage's limit, emits one event and throws
 * `too_many_requests` until the minute ends.
 */
export function limitCalls(
  received: Received,
  principal: AuthenticatedPrincipal | Applicant,
  counter: Item | undefined,
  counting: Counting = {},
): void {
  if (count(received, callsOf(principal), counter, counting) <= callLimit()) return;
  if (counting.remembered) throw tooMany(received);
  const { home, log: account, actor } = principal;
  const minute = callMinute(received.now);
  const mark = limitedKey(home, principalKeyOf(principal), minute);
  const data = { limit: callLimit(), minute };
  const draft = {
    kind: 'api_rate_limited',
    account,
    actor,
    subject: principalSubject(principal),
    data,
  } as const;
  emitOnceInBackground('emit limit', mark, draft, received);
  throw tooMany(received);
}

/**
 * Counts the call of an account that has a limit of its own, for all its users and keys together. Nothing is read: an
 * instance learns the total of all instances with its first write of a minute, and again after every ten calls. If fewer
 * calls remain for the account than for the caller, the headers of the response contain the limit of the account. Above
 * the limit, emits one event and throws `too_many_requests`.
 */
export function limitAccountCalls(
  received: Received,
  { id: account, limits }: Pick<StoredAccount, 'id' | 'limits'>,
  principal: AuthenticatedPrincipal | Applicant,
): void {
  const limit = limits?.requestsPerMinute;
  if (limit === undefined) return;
  const { now } = received;
  const { calls, write } = countCall(callsOfAccount(account), undefined, now);
  if (write) runInBackground(received, 'count calls of account', write);
  const ofCaller = received.progress.rateLimit;
  if (!ofCaller || limit - calls < ofCaller.limit - ofCaller.calls)
    received.progress.rateLimit = { limit, calls, secondsLeft: secondsLeft(now) };
  if (calls <= limit) return;
  const minute = callMinute(now);
  const draft = {
    kind: 'api_rate_limited',
    account,
    actor: principal.actor,
    subject: principalSubject(principal),
    data: { limit, minute },
  } as const;
  emitOnceInBackground(
    'emit limit',
    limitedKey(account, callsOfAccount(account).name, minute),
    draft,
    received,
  );
  throw tooMany(received);
}

/**
 * Counts a call with a valid token whose session has ended. Throws `too_many_requests` above the limit, to slow down
 * clients that keep using an ended session.
 */
export function limitEndedSession(received: Received, { home, sessionId }: Credential): void {
  if (sessionId === undefined) return;
  if (count(received, callsBySession(home, sessionId), undefined) > callLimit()) throw tooMany(received);
}

/** Rejects a token that exceeded the limit of `limitEndedSession`, before any data is read. */
export function rejectEndedSession(received: Received, { home, sessionId }: Credential): void {
  if (sessionId !== undefined && isPastLimit(callsBySession(home, sessionId), received.now))
    throw tooMany(received);
}

function count(
  received: Received,
  counted: Counted,
  counter: Item | undefined,
  counting: Counting = {},
): number {
  const { calls, write } = countCall(counted, counter, received.now, counting);
  if (write) runInBackground(received, 'count calls', write);
  received.progress.rateLimit = { limit: callLimit(), calls, secondsLeft: secondsLeft(received.now) };
  return calls;
}

const tooMany = ({ now }: Received): ApiError => tooManyRequests(secondsLeft(now));
