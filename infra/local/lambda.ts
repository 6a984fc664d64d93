import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/**
 * Calls a function with an event. Resolves with the function's result, or rejects with its error. `id` is the
 * `awsRequestId`. Default: a random UUID.
 */
export type Invoke = (event: unknown, id?: string) => Promise<unknown>;

/** The exports of a function's `entry.mjs`. */
export interface FunctionEntry {
  handler: (event: unknown, context: Context) => Promise<unknown>;
}

/** In milliseconds. One second less than API Gateway's maximum integration timeout of 30 s. */
export const defaultTimeout = 29_000;

/**
 * Returns a function that calls a bundled Lambda function in this thread. The first call loads the Lambda
 * function, as in a cold start. After the timeout (in milliseconds), the call rejects, but the Lambda
 * function continues to run.
 */
export function lambda(name: string, load: () => Promise<FunctionEntry>, timeout = defaultTimeout): Invoke {
  let loading: Promise<FunctionEntry> | undefined;
  return async (event, id = randomUUID()) => {
    loading ??= load();
    const { handler } = await loading.catch((error) => {
      loading = undefined;
      throw error;
    });
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} timed out after ${timeout / 1000} s`)), timeout);
    });
    try {
      return await Promise.race([handler(event, contextOf(name, timeout, id)), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function contextOf(functionName: string, timeout: number, awsRequestId: string): Context {
  const deadline = Date.now() + timeout;
  return {
    functionName,
    awsRequestId,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    // The type requires these callbacks. No function uses them.
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
