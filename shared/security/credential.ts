import type { AccountId } from '../id/account-id.ts';
import { parseApiKey } from './key-secrets.ts';
import { type Impersonator, verifyToken } from './tokens.ts';

/** A credential from a request, not yet checked against the table. */
export interface Credential {
  kind: 'user' | 'key';
  id: number;
  home: AccountId;
  /** The session, if the credential is a token. */
  sessionId?: string;
  /** Present only in the token of an impersonation. */
  impersonator?: Impersonator;
  /** The public half of the API key, if the credential is an API key. `secret` is the secret half. */
  apiKey?: string;
  secret?: string;
}

/**
 * Reads the session token, or the API key if no Authorization header is sent. Returns undefined if the credential is
 * missing or malformed.
 */
export async function readCredential(
  headers: Record<string, string | undefined>,
  now: Date,
): Promise<Credential | undefined> {
  if (headers.authorization !== undefined) {
    const [, token] = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization) ?? [];
    return token === undefined ? undefined : verifyToken(token, now);
  }
  const { 'x-api-key': apiKey, 'x-api-secret': secret } = headers;
  if (apiKey === undefined || secret === undefined) return undefined;
  return keyCredential(apiKey, secret);
}

export function keyCredential(apiKey: string, secret: string): Credential | undefined {
  const parsed = parseApiKey(apiKey);
  return parsed && { kind: 'key', id: parsed.id, home: parsed.account, apiKey, secret };
}
