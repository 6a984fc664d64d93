import type { AccountId } from '../id/account-id.ts';
import { callsPartition } from '../security/keys.ts';
import { type Key, tenantPartition } from '../table/keys.ts';

export const idempotencyKey = (
  account: AccountId,
  principalKey: string,
  route: string,
  digest: string,
): Key => ({
  pk: tenantPartition(account, 'IDEMPOTENCY', principalKey),
  sk: `${route}#${digest}`,
});

/** The marker of the event that is emitted when a principal reaches its request limit in a minute. */
export const limitedKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: `LIMITED#${minute}`,
});

/** The marker of the event that is emitted when a route responds with 500 in a minute. */
export const systemErrorKey = (account: AccountId, route: string, minute: string): Key => ({
  pk: callsPartition(account, 'SYSTEM_ERROR'),
  sk: `${route}#${minute}`,
});

/** An id that no account has, because ids of accounts start with `acc_`. */
export const nobody = 'nobody' as AccountId;

/** The key of an item that never exists. It is in a partition of call counters, which every function may access. */
export const prewarmKey: Key = { pk: callsPartition(nobody, 'key:0'), sk: 'NOTHING' };
