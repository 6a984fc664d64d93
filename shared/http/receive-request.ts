import type { Context } from 'aws-lambda';
import type { ApiDescription } from '../endpoints/endpoint.ts';
import { type Log, standardOutput } from '../log.ts';
import type { HttpEvent, Received } from './steps.ts';
import { viewerOf } from './viewer.ts';

/** The default time for retries: 10 s. Retries also stop at the function's timeout minus the margin. */
const defaultBudget = 10_000;
const marginMilliseconds = 1_000;

export interface ReceiveOptions {
  clock: () => Date;
  api: ApiDescription;
  /** The time for retries, in milliseconds. Default 10,000. */
  budgetMilliseconds?: number;
  /** Default: standard output. */
  log?: Log;
}

export function receiveRequest(
  event: HttpEvent,
  context: Context,
  { clock, api, budgetMilliseconds = defaultBudget, log = standardOutput }: ReceiveOptions,
): Received {
  const remaining = (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - marginMilliseconds;
  const headers = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (event.cookies) headers.cookie = event.cookies.join('; ');
  return {
    event,
    requestId: event.requestContext.requestId,
    now: clock(),
    clock,
    startedAt: performance.now(),
    deadline: Date.now() + Math.min(budgetMilliseconds, remaining),
    ...viewerOf(event, headers),
    log,
    api,
    backgroundWrites: [],
    progress: { dryRun: false, caller: {} },
  };
}
