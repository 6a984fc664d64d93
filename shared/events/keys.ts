import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../table/keys.ts';

export const eventPartition = (account: AccountId): string => tenantPartition(account, 'EVENT');

export const eventKey = (account: AccountId, id: number): Key => ({
  pk: eventPartition(account),
  sk: digits(id),
});

/** The sort keys of events by id, both ends included. */
export const eventRange = (from: number, to: number): { from: string; to: string } => ({
  from: digits(from),
  to: digits(to),
});

/** The key of a trigger message. Only the relay reads it. */
export const triggerKey = (account: AccountId, id: number): Key => ({
  pk: tenantPartition(account, 'WAKE'),
  sk: digits(id),
});
