/**
 * The state of a work queue and what may become of it: pure, all instants in ISO 8601 with milliseconds. It is written whole,
 * and only in the place of the state that was read.
 */
export interface QueueState {
  /** Who works the work queue. Left out: nobody. */
  lease?: Lease;
  /** Somebody called while the lease was held: whoever holds it reads again before letting go. */
  wanted?: true;
  /** From when on there is something to do; left out: nothing is open. */
  due?: string;
  /** When the sweep wakes it, unless something did before. */
  sweepAt?: string;
  /** Nothing is attempted before, but for what somebody has asked for. */
  pausedUntil?: string;
  /** Somebody has asked for one attempt at once, pause or not. */
  asked?: true;
  /** A delayed trigger message for this instant is on its way. */
  wokenAt?: string;
  /** How many leases there were. */
  leases: number;
  /** How many attempts failed since the last one that succeeded. */
  failures: number;
}

export interface Lease {
  number: number;
  until: string;
}

/** How long a lease lasts, in milliseconds. */
const leaseTime = 60_000;
/** Within so many milliseconds of what is due the sweep comes by, where the trigger message was lost. */
const sweptWithin = 60_000;
/** Longer than a queue delays a message nobody waits for a trigger message: the sweep does that. */
export const longestDelay = 15 * 60_000;
/** What two clocks may differ by: what is due within it is as good as due. */
const skew = 2_000;

export const emptyState: QueueState = { leases: 0, failures: 0 };

/** What a call or a worker that lets go makes of the state, and in how many milliseconds to send a trigger message, if at all. */
interface StateAndTrigger {
  state: QueueState;
  triggerIn?: number;
}

/** The instant at which something can be done; undefined: nothing is open. */
export const nextDue = ({ due, pausedUntil, asked }: QueueState): string | undefined =>
  due !== undefined && pausedUntil !== undefined && pausedUntil > due && !asked ? pausedUntil : due;

/** Whether somebody holds the lease who may still be at work. */
export const isHeld = ({ lease }: QueueState, now: Date): boolean =>
  lease !== undefined && lease.until > now.toISOString();

/**
 * Somebody has opened a work item that is due at this instant. Where the state stays the same object, nothing has to be written:
 * it is due by then, and whoever works it reads once more.
 */
export function requestWork(state: QueueState, at: Date, now: Date): StateAndTrigger {
  const from = (at > now ? at : now).toISOString();
  const held = isHeld(state, now);
  const marked: QueueState = state.lease === undefined || state.wanted ? state : { ...state, wanted: true };
  if (state.due === undefined || state.due > from) return scheduled({ ...marked, due: from }, now, held);
  const wakes = !held && waitOf(nextDue(state) ?? from, now) === 0;
  return { state: marked, ...(wakes && { triggerIn: 0 }) };
}

/** What a trigger message is to do. `rest`: nothing is due, or the holder of the lease reads again anyway. */
type TriggerDecision = 'rest' | { write: StateAndTrigger } | { take: QueueState & { lease: Lease } };

/**
 * A trigger message has come. While the lease is held its holder shall read again. Else it is taken if anything is due; where the
 * sweep would come too early, it is told when to come.
 */
export function onTrigger(state: QueueState, now: Date): TriggerDecision {
  if (isHeld(state, now)) return state.wanted ? 'rest' : { write: { state: { ...state, wanted: true } } };
  const due = nextDue(state);
  if (due === undefined) return 'rest';
  if (waitOf(due, now) > skew) {
    const proper = scheduled(state, now);
    return (proper.state.sweepAt ?? '') > (state.sweepAt ?? '') ? { write: proper } : 'rest';
  }
  const { wanted: _, wokenAt, ...rest } = state;
  // A trigger message for about now is this one.
  const onItsWay = wokenAt !== undefined && waitOf(wokenAt, now) > skew ? { wokenAt } : {};
  const number = state.leases + 1;
  const until = new Date(now.getTime() + leaseTime).toISOString();
  return { take: { ...rest, ...onItsWay, leases: number, lease: { number, until } } };
}

/** What a worker knows of its work queue at the end of its run. */
export interface RunEnd {
  /** When the next work item is due; undefined: none is open. */
  due?: string;
  failures: number;
  pausedUntil?: Date;
  /** An attempt that somebody has asked for was not made. */
  asked?: boolean;
}

/** The holder of the lease lets go. */
export function release(
  state: QueueState,
  { due, failures, pausedUntil, asked }: RunEnd,
  now: Date,
): StateAndTrigger {
  const { wokenAt, leases } = state;
  return scheduled(
    {
      leases,
      failures,
      ...(due !== undefined && { due }),
      ...(pausedUntil && pausedUntil > now && { pausedUntil: pausedUntil.toISOString() }),
      ...(wokenAt !== undefined && { wokenAt }),
      ...(asked && { asked: true as const }),
    },
    now,
  );
}

/**
 * By when the sweep wakes it, and whether a trigger message is to be sent that is not on its way already. Where the lease is `held`
 * none is: its holder sees to the next.
 */
function scheduled({ sweepAt: _, wokenAt, ...rest }: QueueState, now: Date, held = false): StateAndTrigger {
  const due = nextDue(rest);
  if (due === undefined) return { state: rest };
  const wait = waitOf(due, now);
  const onItsWay = wokenAt !== undefined && wokenAt > now.toISOString() ? { wokenAt } : {};
  if (wait > longestDelay) return { state: { ...rest, ...onItsWay, sweepAt: due } };
  const state = { ...rest, ...onItsWay, sweepAt: new Date(now.getTime() + wait + sweptWithin).toISOString() };
  if (held || onItsWay.wokenAt === due) return { state };
  return { state: wait > 0 ? { ...state, wokenAt: due } : state, triggerIn: wait };
}

/** The sweep has come by at an instant: when it does the next time, unless somebody says otherwise. */
export const nextSweep = (now: Date): string => new Date(now.getTime() + sweptWithin).toISOString();

/** Milliseconds to an instant, none where it is past. */
const waitOf = (instant: string, now: Date): number => Math.max(0, Date.parse(instant) - now.getTime());
