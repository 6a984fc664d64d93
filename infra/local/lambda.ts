import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';

/** Calls a function with an event. Resolves with the function's result, or rejects with its error. */
export type Invoke = (event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** In milliseconds. One second less than API Gateway's maximum integration timeout of 30 s. */
const defaultTimeout = 29_000;

/**
 * Returns a call of a bundled function, which runs in this process. The first call loads the function, as in a cold
 * start. After the timeout (in milliseconds), the call rejects, but the function continues to run.
 */
export function lambda(name: string, folder: string, timeout = defaultTimeout): Invoke {
  let loading: Promise<Handler> | undefined;
  const load = async (): Promise<Handler> => {
    const { handler } = await import(pathToFileURL(resolve(folder, 'entry.mjs')).href);
    return handler;
  };
  return async (event) => {
    loading ??= load();
    const handler = await loading.catch((error) => {
      loading = undefined;
      throw error;
    });
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} timed out after ${timeout / 1000} s`)), timeout);
    });
    try {
      return await Promise.race([handler(event, contextOf(name, timeout)), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function contextOf(functionName: string, timeout: number): Context {
  const deadline = Date.now() + timeout;
  return {
    functionName,
    awsRequestId: randomUUID(),
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
