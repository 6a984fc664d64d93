import { createHash } from 'node:crypto';
import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/**
 * The key of the item that maps the id that SES assigned to a message to its mail. The id is hashed, because a local SMTP
 * client can cause any text.
 */
export const mailMessageKey = (account: AccountId, providerId: string): Key => ({
  pk: tenantPartition(account, 'MAILMESSAGE', createHash('sha256').update(providerId).digest('base64url')),
  sk: 'MESSAGE',
});
