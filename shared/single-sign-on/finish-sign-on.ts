import { jwtVerify } from 'jose';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockSkew,
  fetchUserInfo,
  PrivateKeyJwt,
  ResponseBodyError,
} from 'openid-client';
import { ApiError } from '../errors.ts';
import { openDataKeys } from '../security/data-keys.ts';
import { seal, unseal } from '../security/sealed.ts';
import { cookieOf, type SignOnState, sealedStateIn } from './begin-sign-on.ts';
import { configurationOf } from './client.ts';
import { decryptClientSecret, readPrivateKey } from './client-secret.ts';
import {
  type Provider,
  type ProviderRequests,
  providerOf,
  providerRequests,
  providerUnavailable,
  signingAlgorithms,
} from './provider.ts';
import { type Claims, isComplete, readUser } from './read-user.ts';
import type { ProviderUser, StoredSsoConnection } from './schema.ts';
import { ssoConnections } from './store.ts';

/** How long the app may take to exchange the one-time code, in milliseconds. */
const codeMilliseconds = 120_000;

/** The values of a one-time code, which the app gets encrypted. */
export interface SignOnCode
  extends Pick<SignOnState, 'state' | 'account' | 'connectionId' | 'codeChallenge'> {
  /** The version of the connection, because `mappings` are positions. */
  connectionVersion: number;
  user: ProviderUser;
}

interface CallbackRequest {
  query: Readonly<Record<string, unknown>>;
  headers: Record<string, string | undefined>;
  now: Date;
  deadline: number;
}

/**
 * Ends a sign-in at the provider. Returns the page of the app, with a one-time code or an error in its fragment, which no
 * server receives. Nothing is stored: if the provider is down, the browser can load the same address again.
 *
 * Throws `sign_on_state_invalid` if the browser did not begin this sign-in, and `provider_unavailable`.
 */
export async function finishSignOn(request: CallbackRequest): Promise<{ location: string; cookie: string }> {
  const { query, headers, now } = request;
  const sent = typeof query.state === 'string' ? query.state : '';
  const sealed = sealedStateIn(headers.cookie, sent);
  const state = sealed && (await unseal<SignOnState>('sign-on-state', sealed, now));
  const connection =
    state && state.state === sent ? await ssoConnections.find(state.account, state.connectionId) : undefined;
  if (!state || !connection?.returnUrls.includes(state.returnTo)) throw new ApiError('sign_on_state_invalid');
  const page = new URL(state.returnTo);
  page.hash = String(await fragmentOf(state, connection, request));
  return { location: page.href, cookie: cookieOf(sent, '', 0) };
}

async function fragmentOf(
  { state, account, connectionId, codeChallenge, ...begun }: SignOnState,
  connection: StoredSsoConnection,
  request: CallbackRequest,
): Promise<URLSearchParams> {
  try {
    const user = await userOf({ ...begun, state }, connection, request);
    const code: SignOnCode = {
      ...{ state, account, connectionId, codeChallenge, user },
      connectionVersion: connection.version,
    };
    const expiresAt = new Date(request.now.getTime() + codeMilliseconds);
    return new URLSearchParams({ code: await seal('sign-on-code', code, expiresAt) });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'sign_on_rejected') throw error;
    return new URLSearchParams({ error: error.code, message: error.message });
  }
}

/** Exchanges the code of the provider, verifies the ID token, and returns the user. Throws `sign_on_rejected`. */
async function userOf(
  { state, nonce, verifier, redirectUri }: Pick<SignOnState, 'state' | 'nonce' | 'verifier' | 'redirectUri'>,
  connection: StoredSsoConnection,
  { query, now, deadline }: CallbackRequest,
): Promise<ProviderUser> {
  const provider = await providerOf(connection.issuer);
  const requests = providerRequests();
  const config = await clientOf(provider, connection, requests, { now, deadline });
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const { token, profile } = await attempt(requests, async () => {
    const tokens = await authorizationCodeGrant(config, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const token = await verifiedClaims(tokens.id_token ?? '', provider, connection, now);
    const { userinfo_endpoint: userinfo } = provider.metadata;
    const needsProfile = userinfo !== undefined && !isComplete(token, connection);
    const subject = typeof token.sub === 'string' ? token.sub : '';
    return {
      token,
      profile: needsProfile ? await fetchUserInfo(config, tokens.access_token, subject) : undefined,
    };
  });
  const user = readUser(token, profile, connection, provedAt(token, now));
  if (!user) throw new ApiError('sign_on_rejected');
  return user;
}

/**
 * Returns when the user proved the identity to the provider. Without `auth_time`, the provider may only have found a cookie of
 * an earlier sign-in. OpenID Connect requires it if `max_age` was sent (Core 1.0, 2).
 */
function provedAt({ auth_time: seconds }: Claims, now: Date): string | undefined {
  const isTime = typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds >= 0;
  return isTime ? new Date(Math.min(seconds * 1000, now.getTime())).toISOString() : undefined;
}

/**
 * Verifies the signature of an ID token with the keys of the provider, and the claims that openid-client accepts: an
 * audience in addition to this client, and a missing or distant time of issue.
 */
async function verifiedClaims(
  token: string,
  { keys }: Provider,
  { issuer, clientId }: StoredSsoConnection,
  now: Date,
): Promise<Claims> {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: signingAlgorithms,
    issuer,
    audience: clientId,
    requiredClaims: ['exp', 'iat', 'sub'],
    maxTokenAge: '10 minutes',
    clockTolerance: 30,
    currentDate: now,
  });
  if (Array.isArray(payload.aud) && payload.aud.length > 1)
    throw new Error('The ID token has several audiences.');
  return payload;
}

/** Returns the configuration of the connection's client. Its clock is that of the request. */
async function clientOf(
  provider: Provider,
  connection: StoredSsoConnection,
  { fetch }: ProviderRequests,
  { now, deadline }: { now: Date; deadline: number },
): Promise<Configuration> {
  const keys = await openDataKeys({ account: connection.accountId, keep: false, deadline });
  const secret = await decryptClientSecret(connection, keys);
  const skew = Math.round((now.getTime() - Date.now()) / 1000);
  const client = { client_id: connection.clientId, [clockSkew]: skew };
  return configurationOf(provider, client, await authenticationOf(connection, secret), fetch);
}

async function authenticationOf(
  { authentication, keyId }: StoredSsoConnection,
  secret: string,
): Promise<ClientAuth> {
  if (authentication === 'client_secret_basic') return ClientSecretBasic(secret);
  if (authentication === 'client_secret_post') return ClientSecretPost(secret);
  const { key, alg } = readPrivateKey(secret);
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const imported = await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), importAs[alg], false, [
    'sign',
  ]);
  return PrivateKeyJwt({ key: imported, ...(keyId !== undefined && { kid: keyId }) });
}

const importAs = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
} as const;

/**
 * Runs requests to a provider. A request without a usable response throws `provider_unavailable`, and everything else that
 * the libraries reject throws `sign_on_rejected`, with the error code of the provider.
 */
async function attempt<T>(requests: ProviderRequests, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (requests.failure !== undefined) throw providerUnavailable(requests.failure);
    const code = errorOf(error);
    throw new ApiError('sign_on_rejected', {
      message: code && `The identity provider responded with ${code}. Start again at GET /auth/sso/start.`,
      cause: error instanceof Error ? error.message.slice(0, 200) : undefined,
    });
  }
}

/** The error code of a provider, such as `access_denied` or `invalid_client`. Other texts are not shown. */
function errorOf(error: unknown): string | undefined {
  const isOfProvider = error instanceof ResponseBodyError || error instanceof AuthorizationResponseError;
  return isOfProvider && /^[a-z_]{1,40}$/.test(error.error) ? error.error : undefined;
}
