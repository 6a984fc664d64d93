import { increment, takePlace } from '../../table/counters.ts';
import type { Key } from '../../table/keys.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { begunKey, invitationsInHourKey, sentInHourKey } from './keys.ts';

const hour = 3_600_000;

const mostInvitations = 10;

/** Counts a message in the current hour, once per work item. Returns false if the limit of the hour is reached. */
const takePlaceInHour = async (
  keyOf: (hour: string) => Key,
  { limit, workItemId, now }: { limit: number; workItemId: string; now: Date },
): Promise<boolean> => {
  const until = new Date(now.getTime() + 48 * hour);
  return (await takePlace(keyOf(now.toISOString().slice(0, 13)), workItemId, limit, until)) !== undefined;
};

interface Counted {
  workQueue: WorkQueue;
  workItemId: string;
  now: Date;
}

/** Counts a message towards the user's hourly limit. Returns false if the limit is reached. */
export const takeHourlyPlace = (userId: number, limit: number, { workQueue, ...of }: Counted) =>
  takePlaceInHour((name) => sentInHourKey(workQueue, userId, name), { limit, ...of });

/**
 * Counts an invitation towards the hourly limit of the account and the address. Returns false if the limit is reached.
 * An account could otherwise send any number of mails to an address, by inviting it again and again.
 */
export const takeInvitationPlace = (email: string, { workQueue, ...of }: Counted) =>
  takePlaceInHour((name) => invitationsInHourKey(workQueue, email, name), { limit: mostInvitations, ...of });

/**
 * Records that a work item is being sent. Returns the number of earlier attempts whose outcome is unknown: the function
 * crashed, or the response was lost. Attempts with a known outcome are recorded in the work item.
 */
export async function beginSending(workQueue: WorkQueue, workItem: WorkItem): Promise<number> {
  const begun = await increment(begunKey(workQueue, workItem.id), 1, new Date(workItem.expiresAt));
  const known = workItem.attempts.filter(({ outcome }) => outcome !== 'unknown').length;
  return Math.max(0, begun - 1 - known);
}
