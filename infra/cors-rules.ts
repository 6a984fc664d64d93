/** The methods and headers that pages of allowed origins may use, in the deployed HTTP API and in the local gateway. */
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
    'x-step-up-token',
  ],
  /** The response headers that pages may read, in addition to the headers that browsers always expose. */
  responseHeaders: [
    'etag',
    'idempotency-replayed',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'retry-after',
    'x-api-version',
    'x-current-page',
    'x-list-window',
    'x-next-cursor',
    'x-request-id',
    'x-total-count',
    'x-total-pages',
  ],
  /** The maximum that Chromium accepts: 2 hours. */
  maxAgeSeconds: 7200,
} as const;
