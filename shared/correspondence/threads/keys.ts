import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import type { ThreadOf } from './schema.ts';

export const threadKey = (account: AccountId, { recordType, recordId }: ThreadOf): Key => ({
  pk: tenantPartition(account, 'MAILTHREAD', recordType, recordId),
  sk: 'THREAD',
});

/** The key of the item that maps the digest in a token to an application whose id a client chose. */
export const threadIdKey = (account: AccountId, digest: string): Key => ({
  pk: tenantPartition(account, 'MAILTHREADID', digest),
  sk: 'ID',
});
