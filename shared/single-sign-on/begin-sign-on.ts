import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  None,
  randomPKCECodeVerifier,
} from 'openid-client';
import { requireOpen } from '../accounts/close-account.ts';
import { accounts } from '../accounts/store.ts';
import { domainHolders } from '../domains/store.ts';
import { invalid } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { seal } from '../security/sealed.ts';
import { configurationOf } from './client.ts';
import { providerOf } from './provider.ts';
import type { StoredSsoConnection } from './schema.ts';
import { ssoConnections, unknownConnection } from './store.ts';

/** How long a sign-in at the provider may take, in seconds. */
const stateSeconds = 600;

/** The values of a sign-in in progress. The cookie of the browser contains them encrypted. */
export interface SignOnState {
  state: string;
  nonce: string;
  /** The verifier for the provider (RFC 7636). */
  verifier: string;
  account: AccountId;
  connectionId: number;
  redirectUri: string;
  returnTo: string;
  /** The challenge of the app, which proves its verifier when it exchanges the one-time code. */
  codeChallenge: string;
}

interface SignOnRequest {
  query: {
    accountId?: string;
    connectionId?: string;
    domain?: string;
    returnTo?: string;
    codeChallenge: string;
    fresh?: boolean;
  };
  headers: Record<string, string | undefined>;
  path: string;
  now: Date;
}

/** Begins the names of the cookies. Browsers accept such a cookie only over https, for this host, and for all paths. */
const cookiePrefix = '__Host-sign-on-';

/** Each sign-in has its own cookie, so that two tabs of a browser can sign in at the same time. */
const cookieName = (state: string): string => cookiePrefix + state;

export const cookieOf = (state: string, value: string, maxAge: number): string =>
  `${cookieName(state)}=${value}; Max-Age=${maxAge}; Path=/; Secure; HttpOnly; SameSite=Lax`;

/** Returns the value of the cookie of a sign-in. */
export const sealedStateIn = (cookies: string | undefined, state: string): string | undefined =>
  cookies
    ?.split('; ')
    .find((cookie) => cookie.startsWith(`${cookieName(state)}=`))
    ?.slice(cookieName(state).length + 1);

/**
 * Begins a sign-in: returns the address at the provider, and the cookie that binds the sign-in to the browser. Throws
 * `not_found`, `invalid_input` for a page that the connection does not allow, and `provider_unavailable`.
 */
export async function beginSignOn({
  query,
  headers,
  path,
  now,
}: SignOnRequest): Promise<{ location: string; cookie: string }> {
  const connection = await findConnection(query);
  const { accountId: account, id: connectionId, returnUrls, clientId, issuer } = connection;
  requireOpen(await accounts.get(account));
  const [first = ''] = returnUrls;
  const { returnTo = first, codeChallenge, fresh: isFresh = false } = query;
  if (!returnUrls.includes(returnTo))
    throw invalid('returnTo', 'must be one of `returnUrls` of the connection');
  const provider = await providerOf(issuer);
  const [state = '', nonce = ''] = [randomBytes(16), randomBytes(16)].map((bytes) =>
    bytes.toString('base64url'),
  );
  const verifier = randomPKCECodeVerifier();
  const redirectUri = redirectUriOf(headers.host, path);
  const location = buildAuthorizationUrl(configurationOf(provider, { client_id: clientId }, None()), {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { prompt: 'login', max_age: '0' }),
  });
  const values: SignOnState = {
    ...{ state, nonce, verifier, account, connectionId, redirectUri, returnTo, codeChallenge },
  };
  const sealed = await seal('sign-on-state', values, new Date(now.getTime() + stateSeconds * 1000));
  return { location: location.href, cookie: cookieOf(state, sealed, stateSeconds) };
}

/** The address of the callback, as clients reach this API. The stage `local` has no TLS. */
const redirectUriOf = (host = 'localhost', path: string): string =>
  `${process.env.STAGE === 'local' ? 'http' : 'https'}://${host}${path.replace(/start$/, 'callback')}`;

async function findConnection({
  accountId,
  connectionId,
  domain,
}: SignOnRequest['query']): Promise<StoredSsoConnection> {
  if (domain !== undefined) return connectionOfDomain(domainToASCII(domain.trim().toLowerCase()));
  if (accountId === undefined || connectionId === undefined)
    throw invalid('', 'send domain, or accountId and connectionId');
  const [account, id] = [asAccountId(accountId), asRecordId(connectionId)];
  const connection = account && id !== undefined ? await ssoConnections.find(account, id) : undefined;
  if (!connection) throw unknownConnection();
  return connection;
}

/** Only the account that holds the domain signs in its users. */
async function connectionOfDomain(domain: string): Promise<StoredSsoConnection> {
  const holder = await domainHolders.find(domain);
  const connections = holder ? await ssoConnections.all(holder.home) : [];
  const connection = connections.find(({ domains }) => domains.includes(domain));
  if (!connection) throw unknownConnection();
  return connection;
}
