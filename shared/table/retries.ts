import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { backoff } from './backoff.ts';

/** Nine waits are 6 s at most, inside the 10 s a request has. */
const mostAttempts = 10;

const tokenOf = (retries: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => 0,
  getRetryCost: () => undefined,
});

/**
 * When a request to DynamoDB is retried: after a throttle or a lost connection, with the full jitter of
 * `backoff`. The SDK's own strategy begins at a second for a throttle, and would wait far past a request's end.
 */
export const retryStrategy: DynamoDBClientConfig['retryStrategy'] = {
  acquireInitialRetryToken: async () => tokenOf(0),

  async refreshRetryTokenForRetry(token, { errorType }) {
    const retries = token.getRetryCount() + 1;
    const passes = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!passes || retries >= mostAttempts) throw new Error('Not to be tried again');
    await backoff(retries);
    return tokenOf(retries);
  },

  recordSuccess() {},
};
