import type { Write } from '../table/operations.ts';
import type { WorkItem } from './work-item.ts';
import type { Run, WorkQueue } from './work-queue.ts';

/** What came of an attempt. */
export type AttemptResult<C = unknown> =
  /** It is over. A webhook delivered it, an address refused it, a webhook is gone. */
  | { status: 'delivered' | 'cancelled'; attempt?: AttemptDetails }
  /** `writes` are committed with the outcome, or not at all. Left out: none. Not for an attempt beside the schedule. */
  | ({ status: 'failed'; attempt?: AttemptDetails; writes?: readonly Write[] } & Failure)
  /** Not now: once more at this instant, or later where another one comes first. */
  | ({ again: Date; attempt?: AttemptDetails } & Failure)
  /** Long work that goes on where it is now, at this instant: its content is the cursor. No failure. */
  | { content: C; again: Date };

interface Failure {
  /** Nothing of the work queue is attempted before this instant: whoever receives it has asked for that. */
  pauseQueueUntil?: Date;
  /** The failure is this work item's own, such as a bad address, and says nothing of the others. */
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

/** How a kind of work queue does what is due. `C` is the content of its work items, `P` what a run has in common. */
export interface WorkHandler<C = unknown, P = unknown> {
  /** The longest that an attempt takes, in milliseconds: none starts that could outlast the lease. Left out: 15 s. */
  longest?: number;
  /**
   * Once for a run, before its first attempt. `nothing may be done`: not now; it is asked again in a quarter of an hour, or
   * when the work queue is called. `cancel all`: every open work item becomes `cancelled`, due or not.
   */
  prepare(workQueue: WorkQueue, run: Run): Promise<P | 'nothing may be done' | 'cancel all'>;
  /** Whether open work items become `cancelled`, due or not; asked again after each attempt. Left out: they do not. */
  cancels?(prepared: P): boolean;
  /** Whether one is attempted all the same, when it is due. Left out: none is. */
  spares?(workItem: WorkItem<C>, run: { once: boolean }): boolean;
  /**
   * What it throws is logged, and the work item comes again a minute later. Attempts may be repeated after a crash: at least
   * once is promised, exactly once is not.
   */
  attempt(workItem: WorkItem<C>, prepared: P, run: AttemptRun): Promise<AttemptResult<C>>;
}
