import type { AccountId } from '../../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../../table/keys.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';

const sendingPartition = ({ account, name }: WorkQueue): string => tenantPartition(account, 'SENDING', name);

/** Counts how often sending a work item was started. */
export const begunKey = (workQueue: WorkQueue, workItemId: string): Key => ({
  pk: sendingPartition(workQueue),
  sk: `BEGUN#${idText(workItemId)}`,
});

/** Counts the messages to a user in an hour, such as `2026-03-01T09`. */
export const sentInHourKey = (workQueue: WorkQueue, userId: number, hour: string): Key => ({
  pk: sendingPartition(workQueue),
  sk: `HOUR#${digits(userId)}#${hour}`,
});

/** Identifies a digest of an account. Cadence and period must not contain `#`. */
interface DigestOf {
  account: AccountId;
  cadence: string;
  period: string;
}

export const digestPartition = ({ account, cadence, period }: DigestOf): string =>
  tenantPartition(account, 'DIGEST', idText(cadence), idText(period));

/** Exists if a digest accepts no more events. */
export const digestClosedKey = (digest: DigestOf): Key => ({ pk: digestPartition(digest), sk: 'CLOSED' });

export const digestRowKey = (digest: DigestOf, userId: number, eventId: number): Key => ({
  pk: digestPartition(digest),
  sk: `ROW#${digits(userId)}#${digits(eventId)}`,
});

/** The sort keys of a user's rows in a digest. `digestRowsAfter` returns those of all later users. */
export const digestRowsOf = (userId: number) => ({
  from: `ROW#${digits(userId)}#`,
  to: `ROW#${digits(userId)}#~`,
});
export const digestRowsAfter = (userId: number) => ({ from: `ROW#${digits(userId)}#~`, to: 'ROW#~' });

export function readDigestRowKey(sk: string): { userId: number; eventId: number } {
  const [, userId, eventId] = sk.split('#');
  return { userId: Number(userId), eventId: Number(eventId) };
}

/** The key of the item with the period of the digest that contains an event for a user. */
export const digestArrivalKey = (
  account: AccountId,
  cadence: string,
  userId: number,
  eventId: number,
): Key => ({
  pk: tenantPartition(account, 'DIGEST', idText(cadence)),
  sk: `ARRIVED#${digits(userId)}#${digits(eventId)}`,
});
