import type { AccountId } from '../../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../../table/keys.ts';
import type { WorkQueueName } from '../../work-queue/keys.ts';

const sendingPartition = (account: AccountId, name: WorkQueueName): string =>
  tenantPartition(account, 'SENDING', name);

/** The number of times that sending a work item of a work queue was started. */
export const begunKey = (account: AccountId, name: WorkQueueName, entryId: string): Key => ({
  pk: sendingPartition(account, name),
  sk: `BEGUN#${idText(entryId)}`,
});

/** The work items of a work queue that were sent to a user in an hour, such as `2026-03-01T09`. */
export const sentInHourKey = (
  account: AccountId,
  name: WorkQueueName,
  userId: number,
  hour: string,
): Key => ({
  pk: sendingPartition(account, name),
  sk: `HOUR#${digits(userId)}#${hour}`,
});

/** A digest of an account: its cadence, and the period that it covers. Neither holds a #. */
interface DigestOf {
  account: AccountId;
  cadence: string;
  period: string;
}

export const digestPartition = ({ account, cadence, period }: DigestOf): string =>
  tenantPartition(account, 'DIGEST', idText(cadence), idText(period));

/** Marks that a digest takes no more events. */
export const digestClosedKey = (digest: DigestOf): Key => ({ pk: digestPartition(digest), sk: 'CLOSED' });

/** An event in a user's part of a digest. */
export const digestRowKey = (digest: DigestOf, userId: number, eventId: number): Key => ({
  pk: digestPartition(digest),
  sk: `ROW#${digits(userId)}#${digits(eventId)}`,
});

/** The sort keys of a user's rows in a digest, and of the rows of all users after that user. */
export const digestRowsOf = (userId: number) => ({
  from: `ROW#${digits(userId)}#`,
  to: `ROW#${digits(userId)}#~`,
});
export const digestRowsAfter = (userId: number) => ({ from: `ROW#${digits(userId)}#~`, to: 'ROW#~' });

/** The content of a sort key of `digestRowKey`. */
export function readDigestRowKey(sk: string): { userId: number; eventId: number } {
  const [, userId, eventId] = sk.split('#');
  return { userId: Number(userId), eventId: Number(eventId) };
}

/** Names the digest of a cadence in which an event has arrived for a user. */
export const digestArrivalKey = (
  account: AccountId,
  cadence: string,
  userId: number,
  eventId: number,
): Key => ({
  pk: tenantPartition(account, 'DIGEST', idText(cadence)),
  sk: `ARRIVED#${digits(userId)}#${digits(eventId)}`,
});
