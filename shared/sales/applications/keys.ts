import type { AccountId } from '../../id/account-id.ts';
import { callsPartition } from '../../security/keys.ts';
import { type Key, recordKey } from '../../table/keys.ts';

/** The hash of an application's key, beside its record. */
export const appKeyKey = (account: AccountId, applicationId: string): Key => ({
  pk: recordKey(account, 'APPLICATION', applicationId).pk,
  sk: 'APPKEY',
});

/** The number of wrong keys for an application from a network. Stored among the calls, which every function may count. */
export const appKeyFailuresKey = (account: AccountId, applicationId: string, network: string): Key => ({
  pk: callsPartition(account, `applicant:${applicationId}`),
  sk: `WRONG#${network}`,
});
