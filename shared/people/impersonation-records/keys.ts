import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

export const openImpersonationsKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'IMPERSONATION'),
  sk: 'OPEN',
});
