/**
 * The state of a work queue and its transitions. All functions are pure; times are ISO 8601 with
 * milliseconds. The state is one item. Callers write a new state only if the stored state has not changed
 * since it was read.
 */
export interface WorkQueueState {
  /** The lease of the current worker. */
  lease?: Lease;
  /** True if work was requested during the lease. The worker reads the pointers again before it releases the lease. */
  wanted?: true;
  /** When the next work item is due; absent if no work item is open. */
  due?: string;
  /** The time at which the sweep triggers the work queue, unless another trigger comes first. */
  sweepAt?: string;
  /** No attempt starts before this time, except attempts that a user requested. */
  pausedUntil?: string;
  /** True if a user requested an immediate attempt, which ignores the pause. */
  asked?: true;
  /** The time of the delayed trigger message that is in flight. */
  triggerAt?: string;
  /** True if the account is closed: no attempt starts, and nothing triggers the work queue. */
  closed?: boolean;
  leases: number;
  failures: number;
}

export interface Lease {
  number: number;
  until: string;
}

const leaseTime = 60_000;
/** Milliseconds after which the sweep triggers an overdue work queue, because its trigger message may be lost. */
const sweepDelay = 60_000;
/** The longest delay of an SQS message, in milliseconds. The sweep triggers work queues that are due later. */
export const longestDelay = 15 * 60_000;
/** The allowed difference between two clocks, in milliseconds. Work that is due within this time is treated as due. */
const clockSkew = 2_000;

export const emptyState: WorkQueueState = { leases: 0, failures: 0 };

/** A new state. If `triggerIn` is set, a trigger message must be sent with this delay in milliseconds. */
interface StateAndTrigger {
  state: WorkQueueState;
  triggerIn?: number;
}

/** Returns when the next attempt may start; undefined if no work item is open, or if the account is closed. */
export function nextStart({ due, pausedUntil, asked, closed }: WorkQueueState): string | undefined {
  if (closed) return undefined;
  return due !== undefined && pausedUntil !== undefined && pausedUntil > due && !asked ? pausedUntil : due;
}

export const isLeased = ({ lease }: WorkQueueState, now: Date): boolean =>
  lease !== undefined && lease.until > now.toISOString();

/**
 * Returns the state after adding a work item that is due at `at`. Returns the same object if no write is needed: the
 * work queue is already due by `at`, and its current or next worker will read the new pointer.
 */
export function requestWork(state: WorkQueueState, at: Date, now: Date): StateAndTrigger {
  const from = (at > now ? at : now).toISOString();
  const held = isLeased(state, now);
  const marked: WorkQueueState =
    state.lease === undefined || state.wanted ? state : { ...state, wanted: true };
  if (state.due === undefined || state.due > from) return scheduled({ ...marked, due: from }, now, held);
  const triggers = !held && !state.closed && waitOf(nextStart(state) ?? from, now) === 0;
  return { state: marked, ...(triggers && { triggerIn: 0 }) };
}

/** The decision for a trigger message. `rest`: nothing is due, or the current worker will read the pointers again. */
type TriggerDecision = 'rest' | { write: StateAndTrigger } | { take: WorkQueueState & { lease: Lease } };

/**
 * Decides how to handle a trigger message. If another worker holds the lease, that worker must read the pointers again.
 * Otherwise, takes the lease if a work item is due. If no work item is due, postpones a sweep that is too early. If the
 * account is closed, removes the time of the sweep, which remains from before or belongs to a new work item.
 */
export function onTrigger(state: WorkQueueState, now: Date): TriggerDecision {
  if (state.closed) return state.sweepAt === undefined ? 'rest' : { write: scheduled(state, now) };
  if (isLeased(state, now)) return state.wanted ? 'rest' : { write: { state: { ...state, wanted: true } } };
  const due = nextStart(state);
  if (due === undefined) return 'rest';
  if (waitOf(due, now) > clockSkew) {
    const moved = scheduled(state, now);
    return (moved.state.sweepAt ?? '') > (state.sweepAt ?? '') ? { write: moved } : 'rest';
  }
  const { wanted: _, triggerAt, ...rest } = state;
  // If the delayed trigger message is due about now, it is no longer in flight: it is the message being
  // processed.
  const inFlight = triggerAt !== undefined && waitOf(triggerAt, now) > clockSkew ? { triggerAt } : {};
  const number = state.leases + 1;
  const until = new Date(now.getTime() + leaseTime).toISOString();
  return { take: { ...rest, ...inFlight, leases: number, lease: { number, until } } };
}

interface RunEnd {
  due?: string;
  failures: number;
  pausedUntil?: Date;
  /** True if an attempt that a user requested has not been made yet. */
  asked?: boolean;
}

export function release(
  state: WorkQueueState,
  { due, failures, pausedUntil, asked }: RunEnd,
  now: Date,
): StateAndTrigger {
  const { triggerAt, leases, closed } = state;
  return scheduled(
    {
      leases,
      failures,
      ...(due !== undefined && { due }),
      ...(pausedUntil && pausedUntil > now && { pausedUntil: pausedUntil.toISOString() }),
      ...(triggerAt !== undefined && { triggerAt }),
      ...(asked && { asked: true as const }),
      ...(closed && { closed }),
    },
    now,
  );
}

/**
 * Sets the time of the sweep, and decides whether to send a trigger message. No message is sent if the work is due in
 * over 15 min, if a message for this time is in flight, or if a worker holds the lease (`held`).
 */
function scheduled(
  { sweepAt: _, triggerAt, ...rest }: WorkQueueState,
  now: Date,
  held = false,
): StateAndTrigger {
  const due = nextStart(rest);
  if (due === undefined) return { state: rest };
  const wait = waitOf(due, now);
  const inFlight = triggerAt !== undefined && triggerAt > now.toISOString() ? { triggerAt } : {};
  if (wait > longestDelay) return { state: { ...rest, ...inFlight, sweepAt: due } };
  const sweepAt = new Date(now.getTime() + wait + sweepDelay).toISOString();
  const state = { ...rest, ...inFlight, sweepAt };
  if (held || inFlight.triggerAt === due) return { state };
  return { state: wait > 0 ? { ...state, triggerAt: due } : state, triggerIn: wait };
}

/** Returns the next sweep time of a work queue that is triggered now. */
export const nextSweep = (now: Date): string => new Date(now.getTime() + sweepDelay).toISOString();

const waitOf = (time: string, now: Date): number => Math.max(0, Date.parse(time) - now.getTime());
