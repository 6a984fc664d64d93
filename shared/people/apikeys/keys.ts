import type { AccountId } from '../../id/account-id.ts';
import { callsPartition } from '../../security/keys.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

export const apiKeyPartition = (account: AccountId): string => tenantPartition(account, 'APIKEY');

export const apiKeyKey = (account: AccountId, id: number): Key => ({
  pk: apiKeyPartition(account),
  sk: digits(id),
});

/** When an API key was last used, to the hour. Stored beside its calls, so that functions that only read may write it. */
export const lastUseKey = (holder: AccountId, principalKey: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: 'LAST',
});
