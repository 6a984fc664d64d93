import type { AttemptResult } from './work-handler.ts';

/** After so many failures in a row a work queue rests between two attempts. */
const mostFailures = 5;
/** How long it rests, in milliseconds. */
const restTime = 60_000;

/** How a work queue has fared: how much is attempted at once, and from when on. */
export interface CircuitBreaker {
  /** In a row, so far. */
  failures: number;
  /** Whoever receives it has asked for this. */
  pausedUntil?: Date;
  /** It keeps failing: the next attempt is not before. */
  openUntil?: Date;
}

/** How it has fared after another attempt. A delivery ends the rest, and no pause that somebody asked for. */
export function breakerAfter(breaker: CircuitBreaker, result: AttemptResult, now: Date): CircuitBreaker {
  const { openUntil: _, ...rested } = breaker;
  if ('content' in result) return { ...rested, failures: 0 };
  if ('status' in result && result.status !== 'failed')
    return result.status === 'delivered' ? { ...rested, failures: 0 } : breaker;
  const pausedUntil = latest(breaker.pausedUntil, result.pauseQueueUntil);
  const failures = breaker.failures + (result.ownFault ? 0 : 1);
  const rests = !result.ownFault && failures >= mostFailures;
  return {
    ...breaker,
    failures,
    ...(pausedUntil && { pausedUntil }),
    ...(rests && { openUntil: new Date(now.getTime() + restTime) }),
  };
}

/** How many attempts there may be at once. */
export const allowedInFlight = ({ failures }: CircuitBreaker, most: number): number =>
  failures >= mostFailures ? 1 : most;

/** Nothing is attempted before this instant. */
export const notBefore = ({ pausedUntil, openUntil }: CircuitBreaker): Date | undefined =>
  latest(pausedUntil, openUntil);

const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  !one || (other && other > one) ? other : one;
