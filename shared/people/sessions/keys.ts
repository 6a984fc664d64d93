import type { AccountId } from '../../id/account-id.ts';
import { type Key, partitionAcrossAccounts, tenantPartition } from '../../table/keys.ts';

/** `holder` is the user's home account, or the API key's account. */
export const sessionKey = (holder: AccountId, sessionId: string): Key => ({
  pk: tenantPartition(holder, 'SESSION', sessionId),
  sk: 'SESSION',
});

/** A counter of login attempts per source, or per name and source. `digest` is a hash of these values. */
export const loginFailuresAcrossAccountsKey = (digest: string): Key => ({
  pk: partitionAcrossAccounts('LOGINFAILURES', digest),
  sk: 'FAILURES',
});
