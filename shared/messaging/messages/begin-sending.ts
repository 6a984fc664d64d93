import { increment, takePlace } from '../../table/counters.ts';
import type { Backlog } from '../../work-queue/backlog.ts';
import type { Entry } from '../../work-queue/entry.ts';
import { begunKey, sentInHourKey } from './keys.ts';

const hour = 3_600_000;

/** How many a user gets of an account in an hour. */
const mostInHour = { MAIL: 30, SMS: 5 } as const;
export type SentName = keyof typeof mostInHour;

/** Takes a place among what a user gets in this hour, once for an entry however often it is tried. False: all are taken. */
export const takeHourlyPlace = (
  { account, name }: Backlog & { name: SentName },
  userId: number,
  entryId: string,
  now: Date,
): Promise<boolean> =>
  takePlace(
    sentInHourKey(account, name, userId, now.toISOString().slice(0, 13)),
    entryId,
    mostInHour[name],
    new Date(now.getTime() + 48 * hour),
  );

/**
 * Writes down that an entry is sent now, and returns how often that was so before and nobody knows what came of it: a function
 * that died meanwhile, or an answer that never came. An answer that is known is on record with the entry.
 */
export async function beginSending({ account, name }: Backlog, entry: Entry): Promise<number> {
  const begun = await increment(begunKey(account, name, entry.id), 1, new Date(entry.expiresAt));
  const known = entry.attempts.filter(({ outcome }) => outcome !== 'unknown').length;
  return Math.max(0, begun - 1 - known);
}
