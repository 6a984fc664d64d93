import { ApiError, invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asInstant } from '../../instant.ts';
import { hashSecret, mintApiKey, mintSecret } from '../../security/key-secrets.ts';
import type { Principal } from '../../security/principal.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { StoredApiKey } from './schema.ts';

/** When a key ends, or null for never, as null and the empty text say. Throws for a time that has passed. */
export function readExpiry(text: string | null, now: Date): string | null {
  if (text === null || text === '') return null;
  const instant = asInstant(text);
  if (instant === undefined) throw invalid('expiresAt', 'must be an ISO 8601 date-time, or null');
  if (instant <= now.toISOString()) throw invalid('expiresAt', 'must lie in the future');
  return instant;
}

/** Throws `own_expiry` for a key that would set its own expiry: it could live as long as it likes. */
export function requireOthersExpiry(principal: Principal, { id }: { id: number }): void {
  if (principal.kind === 'key' && principal.id === id) throw new ApiError('own_expiry');
}

type NewApiKey = Pick<StoredApiKey, 'description' | 'expiresAt' | 'flatPermissionsList'>;

/** A new key and its secret, which is shown once and never stored. */
export function newApiKey(
  fields: NewApiKey,
  request: Authored & { account: AccountId },
): { key: StoredApiKey; secret: string } {
  const secret = mintSecret();
  const record = newRecord(request);
  const key = {
    ...record,
    ...fields,
    apiKey: mintApiKey(request.account, record.id),
    sessionEpoch: 0,
    secretHash: hashSecret(secret),
    lastFourOfSecret: secret.slice(-4),
  };
  return { key, secret };
}
