import type { AccountId } from '../id/account-id.ts';
import { digestOf } from '../security/keys.ts';
import { digits, type Key, tenantPartition } from '../table/keys.ts';

export const ssoConnectionPartition = (account: AccountId): string =>
  tenantPartition(account, 'SSOCONNECTION');

export const ssoConnectionKey = (account: AccountId, id: number): Key => ({
  pk: ssoConnectionPartition(account),
  sk: digits(id),
});

/** The key of the marker that a one-time code was used. */
export const usedCodeKey = (account: AccountId, id: string): Key => ({
  pk: tenantPartition(account, 'SSOCODE', digestOf(id)),
  sk: 'CODE',
});
