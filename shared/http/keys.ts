import type { AccountId } from '../id/account-id.ts';
import { callsPartition } from '../security/keys.ts';
import { type Principal, principalKeyOf } from '../security/principal.ts';
import { type Key, tenantPartition } from '../table/keys.ts';

/** The key of the stored response of an idempotent request. */
export const responseKey = (
  account: AccountId,
  principalKey: string,
  route: string,
  digest: string,
): Key => ({
  pk: tenantPartition(account, 'IDEMPOTENCY', principalKey),
  sk: `${route}#${digest}`,
});

/**
 * The key of the marker for `api_rate_limited`. The marker exists if this event was already emitted for this principal
 * in this minute.
 */
export const limitedKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: `LIMITED#${minute}`,
});

/**
 * The key of the marker for `system_error`. The marker exists if this event was already emitted for this account and
 * route in this minute.
 */
export const systemErrorKey = (account: AccountId, route: string, minute: string): Key => ({
  pk: callsPartition(account, 'SYSTEM_ERROR'),
  sk: `${route}#${minute}`,
});

/**
 * The key of the marker for `not_found` and `method_not_allowed`. The marker exists if this event was already emitted for this
 * principal and path pattern in this minute.
 */
export const rejectedKey = (
  account: AccountId,
  principal: Pick<Principal, 'kind' | 'id'>,
  { kind, pattern, minute }: { kind: string; pattern: string; minute: string },
): Key => ({
  pk: callsPartition(account, principalKeyOf(principal)),
  sk: `REJECTED#${kind}#${pattern}#${minute}`,
});

/** The key of the marker for a single-use proof token. The marker exists if the token was used. */
export const usedProofKey = (home: AccountId, principalKey: string, tokenId: string): Key => ({
  pk: callsPartition(home, principalKey),
  sk: `PROOF#${tokenId}`,
});

/** An id that no account has, because ids of accounts start with `acc_`. */
export const nobody = 'nobody' as AccountId;

/** The key of an item that never exists. It is in a partition of call counters, which every function may access. */
export const prewarmKey: Key = { pk: callsPartition(nobody, 'key:0'), sk: 'NOTHING' };
