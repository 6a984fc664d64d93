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
  /** The only account of a session by single sign-on. */
  account?: AccountId;
  /** The public half of the API key, if the credential is an API key. `secret` is the secret half. */
  apiKey?: string;
  secret?: string;
}

/** Returns the only account in which a credential is valid: that of an impersonation or of single sign-on. */
export const onlyAccountOf = ({ impersonator, account }: Credential): AccountId | undefined =>
  impersonator?.account ?? account;

/**
 * Reads an API key that is sent as one bearer token: the key, a dot and the secret. Identity providers can send no other
 * header. Returns undefined for other credentials.
 */
export function readBearerKey({
  authorization = '',
}: Record<string, string | undefined>): Credential | undefined {
  const [, apiKey = '', secret = ''] = /^Bearer +(mo_key_[\w-]+)\.(mo_sk_\w+)$/i.exec(authorization) ?? [];
  return keyCredential(apiKey, secret);
}

/** The token that `readBearerKey` reads. */
export const bearerKeyOf = (apiKey: string, secret: string): string => `${apiKey}.${secret}`;

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
