import { createHash } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { type Key, partitionAcrossAccounts, tenantPartition } from '../table/keys.ts';

/** The key of the item with an account's data keys. For sensitive endpoints, authentication also reads this item. */
export const dataKeysKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'DATAKEYS'),
  sk: 'DATAKEYS',
});

/** The key of a session. `holder` is the user's home account, or the API key's account. */
export const sessionKey = (holder: AccountId, sessionId: string): Key => ({
  pk: tenantPartition(holder, 'SESSION', sessionId),
  sk: 'SESSION',
});

/**
 * The partition of a principal's call counters and similar items, such as the last use of an API key. The
 * functions of read-only endpoints may write to this partition, too.
 */
export const callsPartition = (holder: AccountId, principalKey: string): string =>
  tenantPartition(holder, 'CALLS', principalKey);

/** The call counter of a principal in a minute, such as `2026-03-01T09:30`. */
export const callsKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: `MINUTE#${minute}`,
});

/** Returns the SHA-256 hash of a text in base64url, for a key or a token that must not contain the text. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The partition of the counters for a login name or a source. The key contains only a hash of the name or source. */
export const loginFailuresAcrossAccountsPartition = (nameOrSource: string): string =>
  partitionAcrossAccounts('LOGINFAILURES', digestOf(nameOrSource));
