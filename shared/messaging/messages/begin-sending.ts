import { increment, takePlace } from '../../table/counters.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { begunKey, invitationsInHourKey, sentInHourKey } from './keys.ts';

const hour = 3_600_000;

const mostInHour = { MAIL: 30, SMS: 5 } as const;
export type SentName = keyof typeof mostInHour;

/** Counts a message towards the user's hourly limit, once per work item. Returns false if the limit is reached. */
export const takeHourlyPlace = (
  workQueue: WorkQueue & { name: SentName },
  userId: number,
  workItemId: string,
  now: Date,
): Promise<boolean> =>
  takePlace(
    sentInHourKey(workQueue, userId, now.toISOString().slice(0, 13)),
    workItemId,
    mostInHour[workQueue.name],
    new Date(now.getTime() + 48 * hour),
  );

const mostInvitations = 10;

/**
 * Counts an invitation towards the hourly limit of the account and the address, once per work item. Returns false if the
 * limit is reached. An account could otherwise send any number of mails to an address, by inviting it again and again.
 */
export const takeInvitationPlace = (
  workQueue: WorkQueue,
  email: string,
  workItemId: string,
  now: Date,
): Promise<boolean> =>
  takePlace(
    invitationsInHourKey(workQueue, email, now.toISOString().slice(0, 13)),
    workItemId,
    mostInvitations,
    new Date(now.getTime() + 48 * hour),
  );

/**
 * Records that a work item is being sent. Returns the number of earlier attempts whose outcome is unknown: the function
 * crashed, or the response was lost. Attempts with a known outcome are recorded in the work item.
 */
export async function beginSending(workQueue: WorkQueue, workItem: WorkItem): Promise<number> {
  const begun = await increment(begunKey(workQueue, workItem.id), 1, new Date(workItem.expiresAt));
  const known = workItem.attempts.filter(({ outcome }) => outcome !== 'unknown').length;
  return Math.max(0, begun - 1 - known);
}
