import { type Target, targets } from './policy.ts';
import type { Priority, TicketStatus } from './schema.ts';

/**
 * The state of a ticket's clock, from which all its SLA fields are computed. The API never returns the clock. Instants
 * are ISO strings. Durations are exact milliseconds of business time, counted up to `countedTo`.
 */
export interface Clock {
  policy: number;
  createdAt: string;
  /** The latest processed instant. A move with an earlier time is recorded at this instant. */
  at: string;
  /** The instant of the last entry. */
  countedTo: string;
  status: TicketStatus;
  priority: Priority;
  entries: number;
  /** The business time while the clock was running. */
  used: number;
  /** The business time in ended pauses. */
  paused: number;
  /** The business time in the current pause, or since the resolution. Added to `paused` when the phase ends. */
  standing: number;
  reopens: number;
  pausedAt?: string;
  resolvedAt?: string;
  closedAt?: string;
  firstResponseDue: string;
  resolutionDue: string;
  /** The instant at which 80% of the target is used. */
  firstResponseRiskAt: string;
  resolutionRiskAt: string;
  firstResponseBreachedAt?: string;
  resolutionBreachedAt?: string;
  /** The values of `used` at the first response and at the resolution. */
  firstResponseTime?: number;
  resolutionTime?: number;
}

/** A change of a clock. Applying all entries in order gives the clock. */
export interface ClockEntry {
  n: number;
  at: string;
  kind: 'created' | 'status' | 'priority' | 'response' | 'policy';
  status?: TicketStatus;
  priority?: Priority;
  /** The number of the policy that applies from this entry on. */
  policy?: number;
}

export interface Breach {
  target: Target;
  at: string;
}

export interface ClockUpdate {
  clock: Clock;
  entries: ClockEntry[];
  breaches: Breach[];
}

export const fieldsOf = {
  firstResponse: {
    due: 'firstResponseDue',
    riskAt: 'firstResponseRiskAt',
    breachedAt: 'firstResponseBreachedAt',
    time: 'firstResponseTime',
  },
  resolution: {
    due: 'resolutionDue',
    riskAt: 'resolutionRiskAt',
    breachedAt: 'resolutionBreachedAt',
    time: 'resolutionTime',
  },
} as const satisfies Record<Target, Record<string, keyof Clock>>;

/** `paused`: the ticket waits for the customer. `finished`: the ticket is resolved or closed. */
export type Phase = 'running' | 'paused' | 'finished';

export function phaseOf(status: TicketStatus): Phase {
  if (status === 'waiting_customer') return 'paused';
  return status === 'resolved' || status === 'closed' ? 'finished' : 'running';
}

export const openTargets = (clock: Clock): Target[] =>
  targets.filter((target) => {
    const { breachedAt, time } = fieldsOf[target];
    return clock[breachedAt] === undefined && clock[time] === undefined;
  });

/** Returns the instant after which the next open target is breached; undefined if the clock is not running. */
export function nextBreach(clock: Clock): string | undefined {
  if (phaseOf(clock.status) !== 'running') return undefined;
  return openTargets(clock)
    .map((target) => clock[fieldsOf[target].due])
    .sort()[0];
}

/**
 * Returns when a target is due that is not met yet. Undefined if it is met, or if the clock is not running. A missed target
 * is due until it is met.
 */
export function openDue(clock: Clock, target: Target): string | undefined {
  const { due, time } = fieldsOf[target];
  return phaseOf(clock.status) === 'running' && clock[time] === undefined ? clock[due] : undefined;
}

/** Marks open targets that were due before `at` as breached. If no target was due, returns the same `clock` object. */
export function settleClock(clock: Clock, at: string): ClockUpdate {
  if (phaseOf(clock.status) !== 'running') return { clock, entries: [], breaches: [] };
  const breaches = openTargets(clock)
    .map((target) => ({ target, at: clock[fieldsOf[target].due] }))
    .filter(({ at: due }) => due < at)
    .sort((one, other) => (one.at < other.at ? -1 : 1));
  if (breaches.length === 0) return { clock, entries: [], breaches };
  const settled: Clock = { ...clock, at: laterOf(clock.at, at) };
  for (const { target, at: due } of breaches) settled[fieldsOf[target].breachedAt] = due;
  return { clock: settled, entries: [], breaches };
}

export const laterOf = (one: string, other: string): string => (one > other ? one : other);
