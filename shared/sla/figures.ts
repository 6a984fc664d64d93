import { type Clock, fieldsOf, openTargets, phaseOf, settleClock } from './clock.ts';
import { type Target, targets } from './policy.ts';
import type { SlaFigures, SlaStatus } from './schema.ts';

/** Returns the SLA fields of a ticket at `now`. Uses only stored instants, so the result does not depend on sweeps. */
export function figuresOf(clock: Clock, now: Date): SlaFigures {
  const at = now.toISOString();
  const settled = settleClock(clock, at).clock;
  const breaches = targets
    .map((target) => settled[fieldsOf[target].breachedAt])
    .filter((breach) => breach !== undefined)
    .sort();
  const { firstResponseTime, resolutionTime } = settled;
  return present({
    slaStatus: statusAt(settled, at),
    slaFirstResponseDue: settled.firstResponseDue,
    slaResolutionDue: settled.resolutionDue,
    slaBreachedAt: breaches[0],
    slaPausedAt: settled.pausedAt,
    slaFirstResponseMet: isMet(settled, 'firstResponse'),
    slaResolutionMet: isMet(settled, 'resolution'),
    slaTotalPausedTime: minutes(settled.paused),
    firstResponseTime: firstResponseTime === undefined ? undefined : minutes(firstResponseTime),
    resolutionTime: resolutionTime === undefined ? undefined : minutes(resolutionTime),
    resolvedAt: settled.resolvedAt,
    closedAt: settled.closedAt,
    reopenCount: settled.reopens,
    escalationCount: breaches.length,
  });
}

/** A breached ticket stays `breached`. A finished ticket without a breach is `on_time`. */
function statusAt(settled: Clock, at: string): SlaStatus {
  if (targets.some((target) => settled[fieldsOf[target].breachedAt] !== undefined)) return 'breached';
  const phase = phaseOf(settled.status);
  if (phase !== 'running') return phase === 'paused' ? 'paused' : 'on_time';
  const [nearest] = openTargets(settled)
    .map((target) => ({ due: settled[fieldsOf[target].due], riskAt: settled[fieldsOf[target].riskAt] }))
    .sort((one, other) => (one.due < other.due ? -1 : 1));
  return nearest && nearest.riskAt <= at ? 'at_risk' : 'on_time';
}

/** Returns undefined while the target is open. */
function isMet(clock: Clock, target: Target): boolean | undefined {
  const { breachedAt, time } = fieldsOf[target];
  if (clock[breachedAt] !== undefined) return false;
  return clock[time] === undefined ? undefined : true;
}

const minutes = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

/** Returns a copy without undefined fields. (`delete` would make all later reads of the object slower.) */
function present<T extends object>(fields: T): T {
  const kept: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as T;
}
