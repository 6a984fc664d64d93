import { increment, takePlace } from '../../table/counters.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { begunKey, invitationsInHourKey, sentInHourKey } from './keys.ts';

const hour = 3_600_000;

/** Identifies a message to a recipient: a user, or the address of an invited user. */
interface Counted<Recipient> {
  workQueue: WorkQueue;
  to: Recipient;
  workItemId: string;
  now: Date;
}

const hourOf = (now: Date): string => now.toISOString().slice(0, 13);
const keptUntil = (now: Date): Date => new Date(now.getTime() + 48 * hour);

/** Counts a message towards the user's hourly limit, once per work item. Returns false if the limit is reached. */
export const takeHourlyPlace = (
  { workQueue, to, workItemId, now }: Counted<number>,
  perHour: number,
): Promise<boolean> =>
  takePlace(sentInHourKey(workQueue, to, hourOf(now)), workItemId, perHour, keptUntil(now));

const mostInvitations = 10;

/**
 * Counts an invitation towards the hourly limit of the account and the address, once per work item. Returns false if the
 * limit is reached. An account could otherwise send any number of mails to an address, by inviting it again and again.
 */
export const takeInvitationPlace = ({ workQueue, to, workItemId, now }: Counted<string>): Promise<boolean> =>
  takePlace(invitationsInHourKey(workQueue, to, hourOf(now)), workItemId, mostInvitations, keptUntil(now));

/**
 * Records that a work item is being sent. Returns the number of earlier attempts whose outcome is unknown: the function
 * crashed, or the response was lost. Attempts with a known outcome are recorded in the work item.
 */
export async function beginSending(workQueue: WorkQueue, workItem: WorkItem): Promise<number> {
  const begun = await increment(begunKey(workQueue, workItem.id), 1, new Date(workItem.expiresAt));
  const known = workItem.attempts.filter(({ outcome }) => outcome !== 'unknown').length;
  return Math.max(0, begun - 1 - known);
}
