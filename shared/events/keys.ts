import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../table/keys.ts';

export const eventPartition = (account: AccountId): string => tenantPartition(account, 'EVENT');

export const eventKey = (account: AccountId, id: number): Key => ({
  pk: eventPartition(account),
  sk: digits(id),
});

/** The sort keys of the events with ids from `from` to `to`, inclusive. */
export const eventRange = (from: number, to: number): { from: string; to: string } => ({
  from: digits(from),
  to: digits(to),
});

/** The key of the marker for `cron_triggered`. The marker exists if this schedule already emitted the event in this hour. */
export const scheduleKey = (account: AccountId, schedule: string, hour: string): Key => ({
  pk: tenantPartition(account, 'SCHEDULE'),
  sk: `${schedule}#${hour}`,
});

/** The key of a trigger item. Only the relay reads trigger items. */
export const triggerKey = (account: AccountId, id: number): Key => ({
  pk: tenantPartition(account, 'TRIGGER'),
  sk: digits(id),
});
