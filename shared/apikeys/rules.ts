import { ApiError, invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asInstant } from '../instant.ts';
import { hashSecret, mintApiKey, mintSecret } from '../security/key-secrets.ts';
import type { Principal } from '../security/principal.ts';
import { newRecord } from '../table/record-fields.ts';
import type { StoredApiKey } from './schema.ts';

/** When a key ends, or null for never, as null and the empty text say. A time that has passed is refused. */
export function readExpiry(text: string | null, now: Date): string | null {
  if (text === null || text === '') return null;
  const instant = asInstant(text);
  if (instant === undefined) throw invalid('expiresAt', 'must be an ISO 8601 date-time, or null');
  if (instant <= now.toISOString()) throw invalid('expiresAt', 'must lie in the future');
  return instant;
}

/** Refuses a key that would set when it ends itself: what was meant to end would live as long as it likes. */
export function requireOthersExpiry(principal: Principal, { id }: { id: number }): void {
  if (principal.kind === 'key' && principal.id === id) throw new ApiError('own_expiry');
}

interface NewKey {
  id: number;
  account: AccountId;
  description: string;
  expiresAt?: string;
  flatPermissionsList: string[];
  by: string;
  now: Date;
}

/** A new key and its secret, which is told once and never stored. */
export function newApiKey({ id, account, by, now, ...fields }: NewKey): {
  key: StoredApiKey;
  secret: string;
} {
  const secret = mintSecret();
  const key = {
    ...newRecord({ id, account, by, now }),
    ...fields,
    apiKey: mintApiKey(account, id),
    sessionEpoch: 0,
    secretHash: hashSecret(secret),
    lastFourOfSecret: secret.slice(-4),
  };
  return { key, secret };
}
