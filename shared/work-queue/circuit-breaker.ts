import type { AttemptResult } from './work-handler.ts';

/** The breaker opens after this many consecutive failures. */
const failureThreshold = 5;
/** The breaker stays open for this long, in milliseconds. */
const openTime = 60_000;

/** Limits how many attempts of a work queue run concurrently, and when the next attempt may start. */
export interface CircuitBreaker {
  /** The number of consecutive failures. */
  failures: number;
  /** The receiver requested that no attempt starts before this time. */
  pausedUntil?: Date;
  /** The breaker is open: no attempt starts before this time. */
  openUntil?: Date;
}

/**
 * Returns the new state of the circuit breaker after an attempt. A success closes the breaker but does not end a
 * requested pause.
 */
export function breakerAfter(breaker: CircuitBreaker, result: AttemptResult, now: Date): CircuitBreaker {
  const { openUntil: _, ...closed } = breaker;
  if ('content' in result) return { ...closed, failures: 0 };
  if ('status' in result && result.status !== 'failed')
    return result.status === 'delivered' ? { ...closed, failures: 0 } : breaker;
  const pausedUntil = latest(breaker.pausedUntil, result.pauseWorkQueueUntil);
  const failures = breaker.failures + (result.ownFault ? 0 : 1);
  const opens = !result.ownFault && failures >= failureThreshold;
  return {
    ...breaker,
    failures,
    ...(pausedUntil && { pausedUntil }),
    ...(opens && { openUntil: new Date(now.getTime() + openTime) }),
  };
}

export const allowedInFlight = ({ failures }: CircuitBreaker, most: number): number =>
  failures >= failureThreshold ? 1 : most;

export const notBefore = ({ pausedUntil, openUntil }: CircuitBreaker): Date | undefined =>
  latest(pausedUntil, openUntil);

const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  !one || (other && other > one) ? other : one;
