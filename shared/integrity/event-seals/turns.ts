import { createHash } from 'node:crypto';
import type { AccountId } from '../../id/account-id.ts';

const minute = 60_000;
/** Each account has its turn every so many minutes. */
export const sealedEvery = 10;
/**
 * So many minutes are left alone. An id is minted when its event is decided, and a request has 10 s from then on to commit it,
 * a schedule 50 s, a worker of a work queue 60 s: whatever has an id that old is in the log, or never will be.
 */
const behind = 5;

/** The metric that reports by how many seconds the oldest unsealed event of an account is late, and when an alarm sounds. */
export const sealLag = { metric: 'SealLag', minutes: 15 } as const;

/** The last digit of the minutes at which an account has its turn: any digest spreads them. */
export const turnOf = (account: AccountId): number =>
  createHash('sha256').update(account).digest().readUInt32BE() % sealedEvery;

/** The account's first turn that seals an event whose id was minted at this instant: 5 to 15 minutes later. */
export function turnFor(account: AccountId, mintedAt: Date): Date {
  const first = minuteOf(mintedAt) + behind + 1;
  const wait = (turnOf(account) - (first % sealedEvery) + sealedEvery) % sealedEvery;
  return new Date((first + wait) * minute);
}

/** Up to where it is sealed at an instant: a whole minute, in ISO 8601 with milliseconds. */
export const sealedUpTo = (instant: Date): string =>
  new Date((minuteOf(instant) - behind) * minute).toISOString();

const minuteOf = (instant: Date): number => Math.floor(instant.getTime() / minute);
