import type { AccountId } from '../../id/account-id.ts';
import { digestOf } from '../../security/keys.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The key of a user of an identity provider. It contains only a hash, because issuer and subject may be long. */
export const identityKey = (
  account: AccountId,
  { issuer, subject }: { issuer: string; subject: string },
): Key => ({
  pk: tenantPartition(account, 'SSOIDENTITY', digestOf(`${issuer}\n${subject}`)),
  sk: 'IDENTITY',
});

/** The key of a session at the identity provider, whose id is in `sid`. */
export const providerSessionKey = (
  account: AccountId,
  { issuer, sid }: { issuer: string; sid: string },
): Key => ({
  pk: tenantPartition(account, 'SSOPROVIDERSESSION', digestOf(`${issuer}\n${sid}`)),
  sk: 'SESSION',
});
