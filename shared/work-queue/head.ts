/**
 * The state of a backlog and what may become of it: pure, all instants in ISO 8601 with milliseconds. It is written whole,
 * and only in the place of the state that was read.
 */
export interface Head {
  /** Who works the backlog. Left out: nobody. */
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
  /** A delayed wake-up for this instant is on its way. */
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
/** Within so many milliseconds of what is due the sweep comes by, where the wake-up was lost. */
const sweptWithin = 60_000;
/** Longer than a queue delays a message nobody waits for a wake-up: the sweep does that. */
export const longestDelay = 15 * 60_000;
/** What two clocks may differ by: what is due within it is as good as due. */
const skew = 2_000;

export const freshHead: Head = { leases: 0, failures: 0 };

/** What a call or a worker that lets go makes of the state, and in how many milliseconds to send a wake-up, if at all. */
interface HeadAndWake {
  head: Head;
  wakeIn?: number;
}

/** The instant at which something can be done; undefined: nothing is open. */
export const dueOf = ({ due, pausedUntil, asked }: Head): string | undefined =>
  due !== undefined && pausedUntil !== undefined && pausedUntil > due && !asked ? pausedUntil : due;

/** Whether somebody holds the lease who may still be at work. */
export const isHeld = ({ lease }: Head, now: Date): boolean =>
  lease !== undefined && lease.until > now.toISOString();

/**
 * Somebody has opened an entry that is due at this instant. Where the state stays the same object, nothing has to be written:
 * it is due by then, and whoever works it reads once more.
 */
export function called(head: Head, at: Date, now: Date): HeadAndWake {
  const from = (at > now ? at : now).toISOString();
  const held = isHeld(head, now);
  const marked: Head = head.lease === undefined || head.wanted ? head : { ...head, wanted: true };
  if (head.due === undefined || head.due > from) return scheduled({ ...marked, due: from }, now, held);
  const wakes = !held && waitOf(dueOf(head) ?? from, now) === 0;
  return { head: marked, ...(wakes && { wakeIn: 0 }) };
}

/** What a wake-up is to do. `rest`: nothing is due, or the holder of the lease reads again anyway. */
type Woken = 'rest' | { write: HeadAndWake } | { take: Head & { lease: Lease } };

/**
 * A wake-up has come. While the lease is held its holder shall read again. Else it is taken if anything is due; where the
 * sweep would come too early, it is told when to come.
 */
export function woken(head: Head, now: Date): Woken {
  if (isHeld(head, now)) return head.wanted ? 'rest' : { write: { head: { ...head, wanted: true } } };
  const due = dueOf(head);
  if (due === undefined) return 'rest';
  if (waitOf(due, now) > skew) {
    const proper = scheduled(head, now);
    return (proper.head.sweepAt ?? '') > (head.sweepAt ?? '') ? { write: proper } : 'rest';
  }
  const { wanted: _, wokenAt, ...rest } = head;
  // A wake-up for about now is this one.
  const onItsWay = wokenAt !== undefined && waitOf(wokenAt, now) > skew ? { wokenAt } : {};
  const number = head.leases + 1;
  const until = new Date(now.getTime() + leaseTime).toISOString();
  return { take: { ...rest, ...onItsWay, leases: number, lease: { number, until } } };
}

/** What a worker knows of its backlog at the end of its run. */
export interface Left {
  /** When the next entry is due; undefined: none is open. */
  due?: string;
  failures: number;
  pausedUntil?: Date;
  /** An attempt that somebody has asked for was not made. */
  asked?: boolean;
}

/** The holder of the lease lets go. */
export function letGo(head: Head, { due, failures, pausedUntil, asked }: Left, now: Date): HeadAndWake {
  const { wokenAt, leases } = head;
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
 * By when the sweep wakes it, and whether a wake-up is to be sent that is not on its way already. Where the lease is `held`
 * none is: its holder sees to the next.
 */
function scheduled({ sweepAt: _, wokenAt, ...rest }: Head, now: Date, held = false): HeadAndWake {
  const due = dueOf(rest);
  if (due === undefined) return { head: rest };
  const wait = waitOf(due, now);
  const onItsWay = wokenAt !== undefined && wokenAt > now.toISOString() ? { wokenAt } : {};
  if (wait > longestDelay) return { head: { ...rest, ...onItsWay, sweepAt: due } };
  const head = { ...rest, ...onItsWay, sweepAt: new Date(now.getTime() + wait + sweptWithin).toISOString() };
  if (held || onItsWay.wokenAt === due) return { head };
  return { head: wait > 0 ? { ...head, wokenAt: due } : head, wakeIn: wait };
}

/** The sweep has come by at an instant: when it does the next time, unless somebody says otherwise. */
export const sweptNext = (now: Date): string => new Date(now.getTime() + sweptWithin).toISOString();

/** Milliseconds to an instant, none where it is past. */
const waitOf = (instant: string, now: Date): number => Math.max(0, Date.parse(instant) - now.getTime());
