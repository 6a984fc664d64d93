import type { OpenAPIV3_1 } from 'openapi-types';

export const entityTag = { type: 'string' as const, examples: ['"3"'] };

/** The schema of a document's ETag and If-None-Match headers. */
export const documentTag = { type: 'string' as const, examples: ['"0u1vK2yQm3bZ4nTg5HxWpA-br"'] };

export const sharedHeaders = {
  RequestId: {
    description: 'The id of the request. Include it in error reports.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the record, for If-Match.',
    schema: entityTag,
  },
  DocumentETag: {
    description: 'The version of the document in this encoding, for If-None-Match.',
    schema: documentTag,
  },
  IdempotencyReplayed: {
    description: '`true` if this response repeats the first response to the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  WwwAuthenticate: { description: 'How to sign in.', schema: { type: 'string', enum: ['Bearer'] } },
  RateLimitLimit: {
    description: 'The number of requests that the caller may send in a minute.',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: {
    description: 'An estimate of the requests that remain in this minute.',
    schema: { type: 'integer' },
  },
  RateLimitReset: { description: 'The seconds until the minute ends.', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
} as const satisfies Record<string, OpenAPIV3_1.HeaderObject>;

export const referToHeader = (name: keyof typeof sharedHeaders): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

/** The headers of every response to an authenticated request. */
export const rateLimitHeaders = {
  'RateLimit-Limit': referToHeader('RateLimitLimit'),
  'RateLimit-Remaining': referToHeader('RateLimitRemaining'),
  'RateLimit-Reset': referToHeader('RateLimitReset'),
};
