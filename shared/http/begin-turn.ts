import type { Passing, Surroundings } from './turn.ts';

/** A request has 10 s; a function that runs out of time earlier says so. */
const budgetMilliseconds = 10_000;
const marginMilliseconds = 1_000;

/** Starts the record of a request: its id, its time, its headers by lower-case name. */
export const beginTurn = ({ clock, api }: Surroundings) => ({
  before({ event, context }: Passing) {
    const remaining = (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - marginMilliseconds;
    context.turn = {
      requestId: event.requestContext.requestId,
      now: clock(),
      startedAt: performance.now(),
      deadline: Date.now() + Math.min(budgetMilliseconds, remaining),
      headers: Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value])),
      params: event.pathParameters ?? {},
      query: {},
      body: undefined,
      beside: [],
      asked: `${event.rawPath}?${event.rawQueryString}\n${event.body ?? ''}`,
      api,
    };
  },
});
