import { reopenDays } from '../shared/accounts/close-account.ts';

/** The bucket's rules, which the data stack and the local S3 use. */
export const bucketRules = {
  /** The CORS rule that allows pages of allowed origins to use signed URLs. */
  cors: {
    methods: ['GET', 'HEAD', 'PUT'],
    requestHeaders: ['content-type', 'x-amz-checksum-sha256'],
    responseHeaders: ['etag'],
    /** The maximum that Chromium accepts: 2 hours. */
    maxAgeSeconds: 7200,
  },
  /** Uploads that were not completed are deleted after a day. */
  incoming: { prefix: 'incoming/', days: 1 },
  /** Received mails are deleted after 30 days. Their records contain the text and the addresses. */
  mail: { prefix: 'mail/', days: 30 },
  /** Exports of closed accounts are deleted a day after the account can no longer be reopened. */
  exports: { prefix: 'exports/', days: reopenDays + 1 },
  /** The number of days for which replaced and deleted files can be restored. */
  noncurrentDays: 30,
} as const;
