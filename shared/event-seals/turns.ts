import { createHash } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';

const minute = 60_000;
/** Each account has its turn every so many minutes. */
export const sealedEvery = 10;
/**
 * So many minutes are left alone. An id is minted when its event is decided, and a request has 10 s from then on to commit it,
 * a schedule 50 s, a worker of a backlog 60 s: whatever has an id that old is in the log, or never will be.
 */
export const behind = 5;

/** The last digit of the minutes at which an account has its turn: any digest spreads them. */
export const turnOf = (account: AccountId): number =>
  createHash('sha256').update(account).digest().readUInt32BE() % sealedEvery;

/** Whose turn it is at an instant. */
export const turnAt = (instant: Date): number => minuteOf(instant) % sealedEvery;

/** Up to where it is sealed at an instant: a whole minute, in ISO 8601 with milliseconds. */
export const sealedUpTo = (instant: Date): string =>
  new Date((minuteOf(instant) - behind) * minute).toISOString();

const minuteOf = (instant: Date): number => Math.floor(instant.getTime() / minute);
