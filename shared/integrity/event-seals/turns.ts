import { createHash } from 'node:crypto';
import type { AccountId } from '../../id/account-id.ts';

const minute = 60_000;
/** The log of each account is sealed every 10 minutes. */
export const sealedEvery = 10;
/**
 * An event is sealed at least this many minutes after its id is created. It is committed at most 10 s (request), 50 s
 * (schedule) or 60 s (worker) after its id is created. When an event is due for sealing, it is therefore already in the
 * log, or its commit has failed.
 */
const behind = 5;

/** The metric for the delay of the oldest unsealed event, in seconds, and the threshold of its alarm, in minutes. */
export const sealLag = { metric: 'SealLag', minutes: 15 } as const;

/** The last digit of the minutes in which an account's log is sealed. A hash distributes accounts among the minutes. */
export const turnOf = (account: AccountId): number =>
  createHash('sha256').update(account).digest().readUInt32BE() % sealedEvery;

/** Returns the time at which an event with an id of this instant is sealed: 5 to 15 minutes later. */
export function sealTime(account: AccountId, mintedAt: Date): Date {
  const first = minuteOf(mintedAt) + behind + 1;
  const wait = (turnOf(account) - (first % sealedEvery) + sealedEvery) % sealedEvery;
  return new Date((first + wait) * minute);
}

/** The latest end of a seal that is written at this instant: a full minute, in ISO 8601 with milliseconds. */
export const sealedUpTo = (instant: Date): string =>
  new Date((minuteOf(instant) - behind) * minute).toISOString();

const minuteOf = (instant: Date): number => Math.floor(instant.getTime() / minute);
