import { readExpiry } from '../../accounts/expiry.ts';
import type { Account } from '../../accounts/schema.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { hashSecret, mintApiKey, mintSecret } from '../../security/key-secrets.ts';
import type { Principal } from '../../security/principal.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { StoredApiKey } from './schema.ts';

/** Returns the expiry of a key. Null and the empty string mean no expiry. Throws `invalid_input` for a past time. */
export function expiryOfKey(
  text: string | null,
  { now, accountRecord }: { now: Date; accountRecord: Pick<Account, 'timezone'> },
): string | null {
  if (text === null || text === '') return null;
  const instant = readExpiry('expiresAt', text, accountRecord);
  if (instant <= now.toISOString()) throw invalid('expiresAt', 'must be in the future');
  return instant;
}

/** Throws `own_expiry` if a key sets its own expiry, because a key must not extend its own validity. */
export function requireOthersExpiry(principal: Principal, { id }: { id: number }): void {
  if (principal.kind === 'key' && principal.id === id) throw new ApiError('own_expiry');
}

type NewApiKey = Pick<StoredApiKey, 'description' | 'expiresAt' | 'flatPermissionsList'>;

/** Returns a new key and its secret. The secret is shown once and never stored. */
export function newApiKey(
  fields: NewApiKey,
  request: Authored & { account: AccountId },
): { key: StoredApiKey; secret: string } {
  const secret = mintSecret();
  const record = newRecord(request);
  const key = {
    ...record,
    ...fields,
    statesReveal: true as const,
    apiKey: mintApiKey(request.account, record.id),
    sessionEpoch: 0,
    secretHash: hashSecret(secret),
    lastFourOfSecret: secret.slice(-4),
  };
  return { key, secret };
}
