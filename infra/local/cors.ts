/** What a browser may send and read; the HTTP API in the cloud is configured with the same. */
const allowed = {
  methods: 'GET,POST,PUT,PATCH,DELETE',
  headers: 'authorization,content-type,idempotency-key,if-match,x-account-id,x-api-key,x-api-secret',
  exposed:
    'etag,idempotency-replayed,retry-after,x-request-id,x-list-window,x-total-count,x-total-pages,x-current-page',
  maxAgeSeconds: '3600',
};

/** The headers that let a page of this origin read an answer; none for an origin that is not on the list. */
export function corsHeaders(
  allowedOrigins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined || !allowedOrigins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': allowed.exposed,
    vary: 'origin',
  };
}

/** The headers that answer a browser's preflight. */
export function preflightHeaders(
  allowedOrigins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  const granted = corsHeaders(allowedOrigins, origin);
  if (Object.keys(granted).length === 0) return {};
  return {
    ...granted,
    'access-control-allow-methods': allowed.methods,
    'access-control-allow-headers': allowed.headers,
    'access-control-max-age': allowed.maxAgeSeconds,
  };
}
