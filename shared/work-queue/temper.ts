import type { Verdict } from './work.ts';

/** After so many failures in a row a backlog rests between two attempts. */
const mostFailures = 5;
/** How long it rests, in milliseconds. */
const restTime = 60_000;

/** How a backlog has fared: how much is attempted at once, and from when on. */
export interface Temper {
  /** In a row, so far. */
  failures: number;
  /** Whoever receives it has asked for this. */
  pausedUntil?: Date;
  /** It keeps failing: the next attempt is not before. */
  restsUntil?: Date;
}

/** How it has fared after another attempt. A delivery ends the rest, and no pause that somebody asked for. */
export function temperAfter(temper: Temper, verdict: Verdict, now: Date): Temper {
  const { restsUntil: _, ...rested } = temper;
  if ('content' in verdict) return { ...rested, failures: 0 };
  if ('status' in verdict && verdict.status !== 'failed')
    return verdict.status === 'delivered' ? { ...rested, failures: 0 } : temper;
  const pausedUntil = latest(temper.pausedUntil, verdict.pauseBacklogUntil);
  const failures = temper.failures + (verdict.ownFault ? 0 : 1);
  const rests = !verdict.ownFault && failures >= mostFailures;
  return {
    ...temper,
    failures,
    ...(pausedUntil && { pausedUntil }),
    ...(rests && { restsUntil: new Date(now.getTime() + restTime) }),
  };
}

/** How many attempts there may be at once. */
export const inFlightAt = ({ failures }: Temper, most: number): number =>
  failures >= mostFailures ? 1 : most;

/** Nothing is attempted before this instant. */
export const notBefore = ({ pausedUntil, restsUntil }: Temper): Date | undefined =>
  latest(pausedUntil, restsUntil);

const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  !one || (other && other > one) ? other : one;
