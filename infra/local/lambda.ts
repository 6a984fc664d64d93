import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';

/** Calls a function with an event and resolves with its result; rejects with what it throws. */
export type Invoke = (event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Just below the 30 s in which API Gateway gives up on an integration. */
const defaultBudget = 29_000;

/**
 * A bundled function, run in this process: its entry is loaded on the first call, as a cold start would. Past its
 * time, in milliseconds, the call fails like a Lambda's; its work goes on unseen, because a process cannot stop one of its functions.
 */
export function lambda(name: string, folder: string, budgetMilliseconds = defaultBudget): Invoke {
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
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${name} timed out after ${budgetMilliseconds / 1000} s`)),
        budgetMilliseconds,
      );
    });
    try {
      return await Promise.race([handler(event, contextOf(name, budgetMilliseconds)), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function contextOf(functionName: string, budgetMilliseconds: number): Context {
  const deadline = Date.now() + budgetMilliseconds;
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
    // Node's callback style, which the type still demands and no function here uses.
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
