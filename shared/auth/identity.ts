import type { AccountId } from '../accounts/account-id.ts';
import { parseApiKey } from './key-secret.ts';
import { verifyToken } from './token.ts';

/** Whom a credential claims to be. Nothing here was checked against the table yet. */
export interface Identity {
  kind: 'user' | 'key';
  id: number;
  home: AccountId;
  /** The session of a token. */
  sessionId?: string;
  /** The two halves of an API key that was presented directly. */
  apiKey?: string;
  secret?: string;
}

/**
 * Whom the headers claim to be: a session token, else an API key with its secret. Undefined where there is no
 * credential or it is malformed. Interface, "Authentication" 1 and 2.
 */
export async function identify(
  headers: Record<string, string | undefined>,
  now: Date,
): Promise<Identity | undefined> {
  if (headers.authorization !== undefined) {
    const [, token] = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization) ?? [];
    return token === undefined ? undefined : verifyToken(token, now);
  }
  const { 'x-api-key': apiKey, 'x-api-secret': secret } = headers;
  if (apiKey === undefined || secret === undefined) return undefined;
  return identifyKey(apiKey, secret);
}

/** Whom an API key and secret claim to be. */
export function identifyKey(apiKey: string, secret: string): Identity | undefined {
  const parsed = parseApiKey(apiKey);
  return parsed && { kind: 'key', id: parsed.id, home: parsed.account, apiKey, secret };
}
