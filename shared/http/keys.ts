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

/** Marks that a principal reached its limit of calls in a minute and its event was emitted. */
export const limitedKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: `LIMITED#${minute}`,
});

/** Marks that a request to a route ended in 500 in a minute and its event was emitted. */
export const systemErrorKey = (account: AccountId, route: string, minute: string): Key => ({
  pk: callsPartition(account, 'SYSTEM_ERROR'),
  sk: `${route}#${minute}`,
});

/** Belongs to no account, in a partition that every function may read. The item never exists. */
export const prewarmKey: Key = { pk: tenantPartition('' as AccountId), sk: 'NOTHING' };
