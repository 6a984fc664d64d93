import type { Write } from '../table/operations.ts';
import type { Backlog, Run } from './backlog.ts';
import type { Entry } from './entry.ts';

/** What came of an attempt. */
export type Verdict<C = unknown> =
  /** It is over. A webhook delivered it, an address refused it, a webhook is gone. */
  | { status: 'delivered' | 'cancelled'; attempt?: AttemptDetails }
  /** `writes` are committed with the outcome, or not at all. Left out: none. Not for an attempt beside the schedule. */
  | ({ status: 'failed'; attempt?: AttemptDetails; writes?: readonly Write[] } & Failure)
  /** Not now: once more at this instant, or later where another one comes first. */
  | ({ again: Date; attempt?: AttemptDetails } & Failure)
  /** Long work that goes on where it is now, at this instant: its content is the cursor. No failure. */
  | { content: C; again: Date };

interface Failure {
  /** Nothing of the backlog is attempted before this instant: whoever receives it has asked for that. */
  pauseBacklogUntil?: Date;
  /** The failure is this entry's own, such as a bad address, and says nothing of the others. */
  ownFault?: true;
}

/** What is on record of an attempt beside its number and its instant; no larger than it has to be. */
type AttemptDetails = Readonly<Record<string, unknown>>;

/** What an attempt may take. */
export interface AttemptRun extends Run {
  /** Aborted when the lease is about to end: the attempt then has to be over at once. */
  signal: AbortSignal;
  /** One attempt that somebody asked for: only `delivered` changes the status, and nothing is scheduled anew. */
  once: boolean;
}

/** How a kind of backlog does what is due. `C` is the content of its entries, `P` what a run has in common. */
export interface Work<C = unknown, P = unknown> {
  /** The longest that an attempt takes, in milliseconds: none starts that could outlast the lease. Left out: 15 s. */
  longest?: number;
  /**
   * Once for a run, before its first attempt. `nothing may be done`: not now; it is asked again in a quarter of an hour, or
   * when the backlog is called. `cancel all`: every open entry becomes `cancelled`, due or not.
   */
  prepare(backlog: Backlog, run: Run): Promise<P | 'nothing may be done' | 'cancel all'>;
  /** Whether open entries become `cancelled`, due or not; asked again after each attempt. Left out: they do not. */
  cancels?(prepared: P): boolean;
  /** Whether one is attempted all the same, when it is due. Left out: none is. */
  spares?(entry: Entry<C>, run: { once: boolean }): boolean;
  /**
   * What it throws is logged, and the entry comes again a minute later. Attempts may be repeated after a crash: at least
   * once is promised, exactly once is not.
   */
  attempt(entry: Entry<C>, prepared: P, run: AttemptRun): Promise<Verdict<C>>;
}
