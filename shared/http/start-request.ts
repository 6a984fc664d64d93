import type { ApiDescription, Endpoint } from '../endpoints/endpoint.ts';
import { type Log, standardOutput } from '../log.ts';
import { endpointReads } from './endpoint-reads.ts';
import type { MiddyRequest } from './request-context.ts';
import { viewerOf } from './viewer.ts';

/** The default time for retries: 10 s. Retries also stop at the function's timeout minus the margin. */
const defaultBudget = 10_000;
const marginMilliseconds = 1_000;

export interface StartOptions {
  clock: () => Date;
  api: ApiDescription;
  /** The time for retries, in milliseconds. Default 10,000. */
  budgetMilliseconds?: number;
  /** Default: standard output. */
  log?: Log;
}

/** Creates the request context. */
export const startRequest = (
  endpoint: Endpoint,
  { clock, api, budgetMilliseconds = defaultBudget, log = standardOutput }: StartOptions,
) => ({
  before({ event, context }: MiddyRequest) {
    const remaining = (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - marginMilliseconds;
    const headers = Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    context.requestContext = {
      requestId: event.requestContext.requestId,
      now: clock(),
      clock,
      startedAt: performance.now(),
      deadline: Date.now() + Math.min(budgetMilliseconds, remaining),
      attempts: 0,
      ...viewerOf(event, headers),
      params: event.pathParameters ?? {},
      query: {},
      body: undefined,
      dryRun: false,
      reads: endpointReads(endpoint),
      backgroundWrites: [],
      log,
      fingerprintInput: `${event.rawPath}?${event.rawQueryString}\n${event.body ?? ''}`,
      api,
    };
  },
});
