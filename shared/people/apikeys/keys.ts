import type { AccountId } from '../../id/account-id.ts';
import { callsPartition } from '../../security/keys.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

export const apiKeyPartition = (account: AccountId): string => tenantPartition(account, 'APIKEY');

export const apiKeyKey = (account: AccountId, id: number): Key => ({
  pk: apiKeyPartition(account),
  sk: digits(id),
});

/** The last use is in the partition of the call counters, the only partition that read-only functions may write. */
export const lastUseKey = (holder: AccountId, principalKey: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: 'LAST',
});
