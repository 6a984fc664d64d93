import { createHash } from 'node:crypto';
import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The key of a counter of received mails: of a sender, or of all senders. `start`: when the period began. */
export const limitKey = (account: AccountId, of: string, period: string, start?: Date): Key => ({
  pk: tenantPartition(account, 'MAILLIMIT', createHash('sha256').update(of).digest('base64url')),
  sk: start ? `${period}#${start.toISOString()}` : period,
});

/** The key of the item of a known sender, who has only the limit of an hour. */
export const knownSenderKey = (account: AccountId, sender: string): Key => limitKey(account, sender, 'KNOWN');
