/** What the bucket of files does by itself: for the data stack and the local S3 alike. */
export const bucketRules = {
  /** What a page of an allowed origin may do with an address that it was given. */
  cors: {
    methods: ['GET', 'HEAD', 'PUT'],
    requestHeaders: ['content-type', 'x-amz-checksum-sha256'],
    responseHeaders: ['etag'],
    /** Chromium keeps a preflight two hours at most. */
    maxAgeSeconds: 7200,
  },
  /** An upload that nobody completed is nobody's file. */
  incoming: { prefix: 'incoming/', days: 1 },
  /** Versions that were replaced or deleted can be brought back for so long. */
  noncurrentDays: 30,
} as const;
