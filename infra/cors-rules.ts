/** What a page of an allowed origin may send and read: for the HTTP API in the cloud and the local gateway alike. */
export const corsRules = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  requestHeaders: [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'x-account-id',
    'x-api-key',
    'x-api-secret',
  ],
  /** Beside those that every browser shows. */
  responseHeaders: [
    'etag',
    'idempotency-replayed',
    'retry-after',
    'x-current-page',
    'x-list-window',
    'x-request-id',
    'x-total-count',
    'x-total-pages',
  ],
  /** Chromium keeps a preflight two hours at most. */
  maxAgeSeconds: 7200,
} as const;
