import { createHash, randomInt } from 'node:crypto';

/** Ids count milliseconds from this instant. 41 bits of milliseconds from 2025-01-01 last until 2094. */
const epoch = Date.UTC(2025, 0, 1);
const suffixes = 2 ** 12;

let last = 0;

/**
 * Creates an id of 41 bits of milliseconds and 12 random bits: at most 2^53 − 1, and ordered by time. A process
 * never repeats an id. If two processes create the same id, a conditional put fails and the retry uses another id.
 */
export function mintId(now: Date): number {
  const tick = now.getTime() - epoch;
  last = tick > Math.floor(last / suffixes) ? tick * suffixes + randomInt(suffixes) : last + 1;
  return last;
}

/**
 * Returns an id that depends only on an instant and a seed, so that a repeated task creates the same id. Another seed of
 * the same millisecond can have the same id. One seed has 4,096 different ids, one for each `index`.
 */
export const derivedId = (instant: Date, seed: string, index = 0): number =>
  firstIdAt(instant) + ((createHash('sha256').update(seed).digest().readUInt16BE(0) + index) % suffixes);

/** Parses an id in decimal digits. Returns undefined for other texts. */
export function asRecordId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** The instant at which an id was created. */
export const mintedAt = (id: number): Date => new Date(Math.floor(id / suffixes) + epoch);

/** The smallest id that can be created at an instant. */
export const firstIdAt = (instant: Date): number => Math.max(0, instant.getTime() - epoch) * suffixes;
