import { createRemoteJWKSet, errors, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import { ApiError } from '../errors.ts';
import { destinationFaults, destinationOf } from '../messaging/webhooks/destination.ts';
import { send } from '../messaging/webhooks/send.ts';

/** The accepted signatures of a provider's tokens: asymmetric ones only, so neither `none` nor a shared secret. */
export const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];

/** The published settings of a provider that are used here (OpenID Connect Discovery 1.0, 3). openid-client uses others. */
interface ProviderMetadata {
  issuer: string;
  authorization_endpoint?: string;
  jwks_uri?: string;
  userinfo_endpoint?: string;
}

/** An identity provider: its published settings, and its keys. */
export interface Provider {
  metadata: ProviderMetadata;
  /** Finds the key of a token. A key that is not known is looked up again, at most once per second. */
  keys: JWTVerifyGetKey;
}

/** Settings are read again after ten minutes. If the provider is down, they are used for at most a day. */
const [freshMilliseconds, usableMilliseconds] = [10 * 60_000, 24 * 3600_000];
/** The time for all requests to a provider, in milliseconds. A request has 15 seconds. */
const limit = 9_000;
const [mostProviders, longestDocument] = [100, 64 * 1024];

interface Known {
  provider: Provider;
  readAt: number;
}

/** The providers that this instance has read, by issuer. */
const known = new Map<string, Known>();

/** The error of a provider that does not respond, or not as the protocol requires. The same request may succeed later. */
export const providerUnavailable = (message?: string): ApiError =>
  new ApiError('provider_unavailable', { message, headers: { 'retry-after': '30' } });

/** Requests to a provider. `failure` is the reason why one of them got no usable response. */
export interface ProviderRequests {
  fetch(url: string | URL, options: RequestInit): Promise<Response>;
  failure?: string;
}

/**
 * Returns a `fetch` for requests to a provider. Like webhooks, they reach only public addresses and follow no redirects.
 * A server error counts as no response, so that the libraries do not take it for a rejection.
 */
export function providerRequests(): ProviderRequests {
  const signal = AbortSignal.timeout(limit);
  const requests: ProviderRequests = {
    async fetch(url, { method = 'GET', headers, body }) {
      const { status, error, response, contentType } = await send(
        {
          url: String(url),
          headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'merchant-ops-sign-on/1' },
          keep: longestDocument,
          ...(method === 'GET' ? { method } : { body: Buffer.from(String(body ?? '')) }),
        },
        { signal },
      );
      if (status === undefined || status >= 500 || status === 429) {
        requests.failure = `${new URL(url).host} responded with ${status ?? error}.`;
        throw new Error(requests.failure);
      }
      const hasBody = status !== 204 && status !== 304;
      return new Response(hasBody ? response : null, {
        status,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
      });
    },
  };
  return requests;
}

/** Returns the provider with an issuer. Throws `provider_unavailable`. */
export async function providerOf(issuer: string): Promise<Provider> {
  const stored = known.get(issuer);
  const age = stored ? Date.now() - stored.readAt : Number.POSITIVE_INFINITY;
  if (stored && age < freshMilliseconds) return stored.provider;
  try {
    const provider = await readProvider(issuer);
    if (known.size >= mostProviders) known.clear();
    known.set(issuer, { provider, readAt: Date.now() });
    return provider;
  } catch (error) {
    if (stored && age < usableMilliseconds && error instanceof ApiError) return stored.provider;
    throw error;
  }
}

async function readProvider(issuer: string): Promise<Provider> {
  const requests = providerRequests();
  const { fetch } = requests;
  const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  let metadata: ProviderMetadata;
  try {
    const response = await fetch(at, { headers: { accept: 'application/json' } });
    metadata = (await response.json()) as ProviderMetadata;
  } catch {
    throw providerUnavailable(requests.failure ?? `${new URL(issuer).host} publishes no usable settings.`);
  }
  // Otherwise, an issuer of many tenants, such as `common` of Entra, would accept the users of each of them.
  if (metadata?.issuer !== issuer)
    throw providerUnavailable('The provider publishes another issuer. Set `issuer` to exactly this value.');
  const { jwks_uri: keysAt = '', authorization_endpoint: page = '' } = metadata;
  if (![keysAt, page].every(isAllowed))
    throw providerUnavailable('The provider publishes no usable address for sign-ins or keys.');
  return { metadata, keys: keysOf(keysAt) };
}

const isAllowed = (url: unknown): boolean => {
  const destination = destinationOf(String(url));
  return destination !== undefined && destinationFaults(destination).length === 0;
};

/** Returns the keys of a provider. Keys are read again after ten minutes, and at once for an unknown key. */
function keysOf(url: string): JWTVerifyGetKey {
  const [cooldownDuration, cacheMaxAge] = [1_000, freshMilliseconds];
  const remote = createRemoteJWKSet(new URL(url), {
    cooldownDuration,
    cacheMaxAge,
    timeoutDuration: limit,
    [joseFetch]: (address, options) => providerRequests().fetch(address, options),
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      // Without one of these errors, the keys could not be read.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      if (error instanceof errors.JOSENotSupported) throw error;
      throw providerUnavailable(`The keys of ${new URL(url).host} could not be read.`);
    }
  };
}
