import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { backoff } from './backoff.ts';

type SdkError = Parameters<typeof isThrottlingError>[0];
const isError = (error: unknown): error is SdkError => error instanceof Error;

/** Nine waits are 6 s at most, inside the 10 s a request has. */
const mostAttempts = 10;

const tokenOf = (retries: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => 0,
  getRetryCost: () => undefined,
});

/**
 * Reports whether the same request to AWS may succeed later: after a throttle, a conflict of a single write with a
 * transaction on its item, an internal error of the service, or a lost connection. A `TransactionCanceledException` is
 * none: its reasons decide (see `transact`).
 */
export const isTransient = (error: unknown): error is SdkError =>
  isError(error) &&
  (isThrottlingError(error) || isTransientError(error) || error.name === 'TransactionConflictException');

/**
 * Retries a request to DynamoDB or KMS after a transient error, with the full jitter of `backoff`. The SDK's own strategy
 * waits at least a second after a throttle, which would exceed the time of a request.
 */
export const retryStrategy: DynamoDBClientConfig['retryStrategy'] = {
  acquireInitialRetryToken: async () => tokenOf(0),

  async refreshRetryTokenForRetry(token, { error }) {
    const retries = token.getRetryCount() + 1;
    if (!isTransient(error) || retries >= mostAttempts) throw new Error('Not to be tried again');
    await backoff(retries);
    return tokenOf(retries);
  },

  recordSuccess() {},
};
