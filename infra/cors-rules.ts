/** The methods and headers of pages of allowed origins, for the HTTP API in the cloud and the local gateway. */
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
  /** In addition to the headers that browsers always expose. */
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
  /** Chromium's maximum. */
  maxAgeSeconds: 7200,
} as const;
