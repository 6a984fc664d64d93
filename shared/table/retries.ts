import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { backoff } from './backoff.ts';

type SdkError = Parameters<typeof isThrottlingError>[0];
const isError = (error: unknown): error is SdkError => error instanceof Error;

/** The nine waits between ten attempts take at most 6 s. A request may take 10 s. */
const mostAttempts = 10;

const tokenOf = (retries: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => 0,
  getRetryCost: () => undefined,
});

/**
 * Reports whether a failed request to AWS may succeed later: after throttling, a conflict with a transaction, an
 * internal error of the service, or a lost connection. `transact` handles `TransactionCanceledException`.
 */
export const isTransient = (error: unknown): error is SdkError =>
  isError(error) &&
  (isThrottlingError(error) || isTransientError(error) || error.name === 'TransactionConflictException');

/**
 * Retries transient errors of DynamoDB and KMS with the full jitter of `backoff`. The SDK's own strategy waits at
 * least a second after a throttle, which is too long within a request.
 */
export const retryStrategy: DynamoDBClientConfig['retryStrategy'] = {
  acquireInitialRetryToken: async () => tokenOf(0),

  async refreshRetryTokenForRetry(token, { error }) {
    const retries = token.getRetryCount() + 1;
    if (!isTransient(error) || retries >= mostAttempts) throw new Error('The request is not retried.');
    await backoff(retries);
    return tokenOf(retries);
  },

  recordSuccess() {},
};
