import type { AccountId } from '../../id/account-id.ts';
import { callsPartition } from '../../security/keys.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

export const apiKeyPartition = (account: AccountId): string => tenantPartition(account, 'APIKEY');

export const apiKeyKey = (account: AccountId, id: number): Key => ({
  pk: apiKeyPartition(account),
  sk: digits(id),
});

/** In the partition of the call counters, because read-only functions may write only to this partition. */
export const lastUseKey = (holder: AccountId, principalKey: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: 'LAST',
});
