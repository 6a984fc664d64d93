import type { AccountId } from '../../id/account-id.ts';
import { type Key, partitionAcrossAccounts, tenantPartition } from '../../table/keys.ts';

/** `holder` is the user's home account, or the API key's account. */
export const sessionKey = (holder: AccountId, sessionId: string): Key => ({
  pk: tenantPartition(holder, 'SESSION', sessionId),
  sk: 'SESSION',
});

/** The counter of the login attempts of a name from a source, both hashed into `digest`. */
export const loginFailuresAcrossAccountsKey = (digest: string): Key => ({
  pk: partitionAcrossAccounts('LOGINFAILURES', digest),
  sk: 'FAILURES',
});
