import type { ApiDescription, Endpoint } from '../endpoints/endpoint.ts';
import { type Log, standardOutput } from '../log.ts';
import { endpointReads } from './endpoint-reads.ts';
import type { MiddyRequest } from './request-context.ts';

/** A request has 10 s, unless its function runs out of time earlier. */
const defaultBudget = 10_000;
const marginMilliseconds = 1_000;

/** What every function is started with. */
export interface StartOptions {
  clock: () => Date;
  api: ApiDescription;
  /** How long a request may go on trying, in milliseconds. Default 10,000. */
  budgetMilliseconds?: number;
  /** Default: standard output. */
  log?: Log;
}

/** Starts the record of a request: its id, its time, its headers by lower-case name. */
export const startRequest = (
  endpoint: Endpoint,
  { clock, api, budgetMilliseconds = defaultBudget, log = standardOutput }: StartOptions,
) => ({
  before({ event, context }: MiddyRequest) {
    const remaining = (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - marginMilliseconds;
    context.requestContext = {
      requestId: event.requestContext.requestId,
      now: clock(),
      clock,
      startedAt: performance.now(),
      deadline: Date.now() + Math.min(budgetMilliseconds, remaining),
      attempts: 0,
      headers: Object.fromEntries(
        Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
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
