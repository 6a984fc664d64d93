import { createHash } from 'node:crypto';
import type { AccountId } from '../../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../../table/keys.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';

const sendingPartition = ({ account, name }: WorkQueue): string => tenantPartition(account, 'SENDING', name);

/** The key of the item that counts the attempts to send a work item. */
export const begunKey = (workQueue: WorkQueue, workItemId: string): Key => ({
  pk: sendingPartition(workQueue),
  sk: `BEGUN#${idText(workItemId)}`,
});

/** The key of the item that counts the messages to a user in an hour, such as `2026-03-01T09`. */
export const sentInHourKey = (workQueue: WorkQueue, userId: number, hour: string): Key => ({
  pk: sendingPartition(workQueue),
  sk: `HOUR#${digits(userId)}#${hour}`,
});

/** The key of the item that counts an account's invitations to an address in an hour. Contains only a hash. */
export const invitationsInHourKey = (workQueue: WorkQueue, email: string, hour: string): Key => ({
  pk: sendingPartition(workQueue),
  sk: `INVITED#${createHash('sha256').update(email).digest('base64url')}#${hour}`,
});

/** Identifies a digest of an account. Cadence and period must not contain `#`. */
interface DigestOf {
  account: AccountId;
  cadence: string;
  period: string;
}

export const digestPartition = ({ account, cadence, period }: DigestOf): string =>
  tenantPartition(account, 'DIGEST', idText(cadence), idText(period));

/** The key of an item that exists if a digest accepts no more events. */
export const digestClosedKey = (digest: DigestOf): Key => ({ pk: digestPartition(digest), sk: 'CLOSED' });

export const digestRowKey = (digest: DigestOf, userId: number, eventId: number): Key => ({
  pk: digestPartition(digest),
  sk: `ROW#${digits(userId)}#${digits(eventId)}`,
});

/** The sort keys of a user's rows in a digest. `digestRowsAfter` returns the sort keys for users with larger ids. */
export const digestRowsOf = (userId: number) => ({
  from: `ROW#${digits(userId)}#`,
  to: `ROW#${digits(userId)}#~`,
});
export const digestRowsAfter = (userId: number) => ({ from: `ROW#${digits(userId)}#~`, to: 'ROW#~' });

export function readDigestRowKey(sk: string): { userId: number; eventId: number } {
  const [, userId, eventId] = sk.split('#');
  return { userId: Number(userId), eventId: Number(eventId) };
}

/** The key of an item that records in which digest a user gets an event. The item contains the digest's period. */
export const digestArrivalKey = (
  account: AccountId,
  cadence: string,
  userId: number,
  eventId: number,
): Key => ({
  pk: tenantPartition(account, 'DIGEST', idText(cadence)),
  sk: `ARRIVED#${digits(userId)}#${digits(eventId)}`,
});

/** The key of a record whose type has one partition for the whole account, such as `WEBHOOK`. */
export const keyInOnePartition = (account: AccountId, noun: Uppercase<string>, id: number): Key => ({
  pk: tenantPartition(account, noun),
  sk: digits(id),
});
