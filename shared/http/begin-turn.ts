import { standardOutput } from './log.ts';
import type { Passing, Surroundings } from './turn.ts';

/** A request has 10 s, unless its function runs out of time earlier. */
const defaultBudget = 10_000;
const marginMilliseconds = 1_000;

/** Starts the record of a request: its id, its time, its headers by lower-case name. */
export const beginTurn = ({
  clock,
  api,
  budgetMilliseconds = defaultBudget,
  log = standardOutput,
}: Surroundings) => ({
  before({ event, context }: Passing) {
    const remaining = (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - marginMilliseconds;
    context.turn = {
      requestId: event.requestContext.requestId,
      now: clock(),
      startedAt: performance.now(),
      deadline: Date.now() + Math.min(budgetMilliseconds, remaining),
      attempts: 0,
      headers: Object.fromEntries(
        Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      params: event.pathParameters ?? {},
      query: {},
      body: undefined,
      beside: [],
      log,
      asked: `${event.rawPath}?${event.rawQueryString}\n${event.body ?? ''}`,
      api,
    };
  },
});
