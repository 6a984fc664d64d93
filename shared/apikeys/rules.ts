import type { Caller } from '../auth/caller.ts';
import { hashSecret, mintApiKey, mintSecret } from '../auth/key-secret.ts';
import { isPermission } from '../auth/permissions.ts';
import type { AccountId } from '../accounts/account-id.ts';
import { invalid, Refusal } from '../http/errors.ts';
import { newRecord } from '../table/record-fields.ts';
import type { StoredApiKey } from './api-key.ts';

/** When a key ends, or null for never, as null and the empty text say. A time that has passed is refused. */
export function readExpiry(text: string | null, now: Date): string | null {
  if (text === null || text === '') return null;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw invalid('expiresAt', 'must be an ISO 8601 date-time, or null');
  if (instant <= now.getTime()) throw invalid('expiresAt', 'must lie in the future');
  return new Date(instant).toISOString();
}

/** The permissions a caller grants. Refuses unknown names, and any that the caller does not hold itself. */
export function readGrant(names: readonly string[], caller: Caller): string[] {
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0)
    throw new Refusal('permission_unknown', {
      details: unknown.slice(0, 20).map((name) => ({ field: 'flatPermissionsList', message: `${name} is no permission` })),
    });
  if (names.some((name) => isPermission(name) && !caller.permissions.has(name))) throw new Refusal('grant_exceeds_own');
  return [...new Set(names)].sort();
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
export function newApiKey({ id, account, by, now, ...fields }: NewKey): { key: StoredApiKey; secret: string } {
  const secret = mintSecret();
  const key = {
    ...newRecord({ id, account, by, now }),
    ...fields,
    apiKey: mintApiKey(account, id),
    secretHash: hashSecret(secret),
    lastFourOfSecret: secret.slice(-4),
  };
  return { key, secret };
}
