import { randomInt } from 'node:crypto';

/** 2025-01-01: 41 bits of milliseconds from here last until 2094. */
const epoch = Date.UTC(2025, 0, 1);
const suffixes = 2 ** 12;

let last = 0;

/**
 * A new id: 41 bits of milliseconds, then 12 random bits, so at most 2^53 − 1 and ordered by time. Two instances
 * can mint the same id in the same millisecond; the conditional put notices and the request mints again. One
 * instance only counts up and never repeats itself.
 */
export function mintId(now: Date): number {
  const tick = now.getTime() - epoch;
  last = tick > Math.floor(last / suffixes) ? tick * suffixes + randomInt(suffixes) : last + 1;
  return last;
}

/** The id that a text spells, in plain decimal digits; undefined where it spells none. */
export function asRecordId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** The instant an id was minted. */
export const mintedAt = (id: number): Date => new Date(Math.floor(id / suffixes) + epoch);

/** The smallest id that is minted at an instant. */
export const firstIdAt = (instant: Date): number => Math.max(0, instant.getTime() - epoch) * suffixes;
