import type { Event } from '../events/envelope.ts';
import type { Write } from '../table/operations.ts';
import type { WorkQueue } from './keys.ts';
import type { WorkItem } from './work-item.ts';

/** The current time, and the deadline in milliseconds since 1970 after which no new work starts. */
export interface Run {
  now: Date;
  deadline: number;
}

export type AttemptResult<C = unknown> =
  /**
   * A final result. For example, a webhook accepted the event, or the webhook was deleted. `content` replaces the content
   * of the work item, for example to remove personal data. `writes` and `events` are committed as for a failure. If
   * another write came first, the attempt is repeated.
   */
  | {
      status: 'delivered' | 'cancelled';
      attempt?: AttemptDetails;
      content?: C;
      writes?: readonly Write[];
      events?: readonly Event[];
    }
  /**
   * A final failure. `writes` and `events` are committed in one transaction with the result. An attempt with `once` must
   * not return `writes`, because they are ignored.
   */
  | ({
      status: 'failed';
      attempt?: AttemptDetails;
      writes?: readonly Write[];
      events?: readonly Event[];
    } & Failure)
  /** Retry at this time. The retry can start later, because items that are due earlier run first. */
  | ({ again: Date; attempt?: AttemptDetails } & Failure)
  /** Not a failure: a long job continues at this time. `content` contains the cursor of the job. */
  | { content: C; again: Date };

interface Failure {
  /** The receiver requested a pause: no attempt of the work queue starts before this time. */
  pauseWorkQueueUntil?: Date;
  /** True if only this item fails, such as for an invalid address. The circuit breaker ignores such failures. */
  ownFault?: true;
}

/** The recorded details of an attempt, except its number and time. Keep them small. */
type AttemptDetails = Readonly<Record<string, unknown>>;

export interface AttemptRun extends Run {
  /** This signal is aborted shortly before the lease ends. The attempt must then end immediately. */
  signal: AbortSignal;
  /**
   * True if a user requested this attempt. Then only the result `delivered` changes the status of the work item, and no
   * retry is scheduled.
   */
  once: boolean;
}

/** Processes the items of one kind of work queue. `C` is the content of an item, `P` is the result of `prepare`. */
export interface WorkHandler<C = unknown, P = unknown> {
  /**
   * The maximum duration of an attempt in milliseconds. Default 15 s. An attempt that could outlast the lease
   * is not started.
   */
  longest?: number;
  /**
   * Runs once, before the first attempt of a run. `not now` postpones all work until the work queue is triggered
   * again, for at most 15 minutes. `cancel all` cancels every open item, including items that are not due.
   */
  prepare(workQueue: WorkQueue, run: Run): Promise<P | 'not now' | 'cancel all'>;
  /**
   * Reports whether all open items are cancelled, including those that are not due yet. The worker calls this function
   * again after each attempt. Default: no.
   */
  cancels?(prepared: P): boolean;
  /** Reports whether an item is attempted even if the other items are cancelled. Default: no. */
  spares?(workItem: WorkItem<C>, run: { once: boolean }): boolean;
  /**
   * Makes one attempt. If it throws, the error is logged and the item is retried after one minute. An attempt may be
   * repeated, for example after a crash.
   */
  attempt(workItem: WorkItem<C>, prepared: P, run: AttemptRun): Promise<AttemptResult<C>>;
}
