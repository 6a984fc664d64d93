import { increment, takePlace } from '../../table/counters.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import type { WorkQueue } from '../../work-queue/work-queue.ts';
import { begunKey, sentInHourKey } from './keys.ts';

const hour = 3_600_000;

/** How many a user gets of an account in an hour. */
const mostInHour = { MAIL: 30, SMS: 5 } as const;
export type SentName = keyof typeof mostInHour;

/** Takes a place among what a user gets in this hour, once for a work item however often it is tried. False: all are taken. */
export const takeHourlyPlace = (
  { account, name }: WorkQueue & { name: SentName },
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
 * Writes down that a work item is sent now, and returns how often that was so before and nobody knows what came of it: a function
 * that died meanwhile, or an answer that never came. An answer that is known is on record with the work item.
 */
export async function beginSending({ account, name }: WorkQueue, workItem: WorkItem): Promise<number> {
  const begun = await increment(begunKey(account, name, workItem.id), 1, new Date(workItem.expiresAt));
  const known = workItem.attempts.filter(({ outcome }) => outcome !== 'unknown').length;
  return Math.max(0, begun - 1 - known);
}
