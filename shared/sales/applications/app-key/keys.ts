import type { AccountId } from '../../../id/account-id.ts';
import { callsPartition } from '../../../security/keys.ts';
import { type Key, recordKey } from '../../../table/keys.ts';

/** The item with the hash of an application's appKey. */
export const appKeyKey = (account: AccountId, applicationId: string): Key => ({
  pk: recordKey(account, 'APPLICATION', applicationId).pk,
  sk: 'APPKEY',
});

/** The item that counts wrong appKeys from a network. It is in a partition to which every function may write. */
export const appKeyFailuresKey = (account: AccountId, applicationId: string, network: string): Key => ({
  pk: callsPartition(account, `applicant:${applicationId}`),
  sk: `WRONG#${network}`,
});
