import { type Target, targets } from './policy.ts';
import type { Priority, TicketStatus } from './schema.ts';

/**
 * The state of a ticket's clock: what all its SLA fields follow from. It is internal and never shown. Instants are as
 * they are stored; times are business time in exact milliseconds, counted up to `countedTo` and complete there.
 */
export interface Clock {
  /** The number of the policy it goes by. */
  policy: number;
  createdAt: string;
  /** What comes next counts as no earlier than this: its last entry, or the settling that found its last breach. */
  at: string;
  /** The instant of its last entry. */
  countedTo: string;
  status: TicketStatus;
  priority: Priority;
  /** How many entries it is folded from. */
  entries: number;
  /** Time it ran. */
  used: number;
  /** Time in pauses that are over. */
  paused: number;
  /** Time since it last stopped; it becomes `paused` when that pause is over, or when the ticket is reopened. */
  standing: number;
  reopens: number;
  pausedAt?: string;
  resolvedAt?: string;
  closedAt?: string;
  firstResponseDue: string;
  resolutionDue: string;
  /** When 80% of the target were used, or will be. */
  firstResponseRiskAt: string;
  resolutionRiskAt: string;
  firstResponseBreachedAt?: string;
  resolutionBreachedAt?: string;
  /** `used` at the first response, and at the resolution. */
  firstResponseTime?: number;
  resolutionTime?: number;
}

/** Something that happened to a clock. A clock is the fold of its entries. */
export interface ClockEntry {
  /** 1 for the first. */
  n: number;
  at: string;
  kind: 'created' | 'status' | 'priority' | 'response';
  status?: TicketStatus;
  priority?: Priority;
  /** The number of the policy in force from here on. */
  policy?: number;
}

/** A target that was missed, and the instant at which it was. */
export interface Breach {
  target: Target;
  at: string;
}

/** A clock after something happened: the entries and breaches that this made. */
export interface ClockUpdate {
  clock: Clock;
  entries: ClockEntry[];
  breaches: Breach[];
}

/** The fields of a target. */
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

/** Running; paused, because the customer's answer is awaited; or finished, because the ticket is. */
export type Phase = 'running' | 'paused' | 'finished';

export function phaseOf(status: TicketStatus): Phase {
  if (status === 'waiting_customer') return 'paused';
  return status === 'resolved' || status === 'closed' ? 'finished' : 'running';
}

/** The targets that are neither met nor missed so far. */
export const openTargets = (clock: Clock): Target[] =>
  targets.filter((target) => {
    const { breachedAt, time } = fieldsOf[target];
    return clock[breachedAt] === undefined && clock[time] === undefined;
  });

/** The next instant at which a target is due; none while the clock stands. It is missed once that is past. */
export function nextDue(clock: Clock): string | undefined {
  if (phaseOf(clock.status) !== 'running') return undefined;
  return openTargets(clock)
    .map((target) => clock[fieldsOf[target].due])
    .sort()[0];
}

/**
 * The clock as of an instant: each target that was due before it and is not met is missed, at the instant it was due.
 * Where there is none the very same clock comes back.
 */
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
