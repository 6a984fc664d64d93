import type { Write } from '../table/operations.ts';
import type { WorkQueue } from './keys.ts';
import type { WorkItem } from './work-item.ts';

/** The current time, and the deadline in milliseconds since 1970 after which nothing new starts. */
export interface Run {
  now: Date;
  deadline: number;
}

export type AttemptResult<C = unknown> =
  /** Final. For example, a webhook accepted the event, or the webhook is deleted. */
  | { status: 'delivered' | 'cancelled'; attempt?: AttemptDetails }
  /** Final. `writes` are committed together with the result. An attempt outside the schedule must not use them. */
  | ({ status: 'failed'; attempt?: AttemptDetails; writes?: readonly Write[] } & Failure)
  /** Retry at this time, or later if other items are due earlier. */
  | ({ again: Date; attempt?: AttemptDetails } & Failure)
  /** Long work that continues at this time. `content` holds its cursor. Not a failure. */
  | { content: C; again: Date };

interface Failure {
  /** The receiver asked for a pause: no attempt of the work queue starts before this time. */
  pauseQueueUntil?: Date;
  /** Only this item is at fault, for example a bad address. The failure does not count for the circuit breaker. */
  ownFault?: true;
}

/** The recorded details of an attempt, besides its number and time. Keep them small. */
type AttemptDetails = Readonly<Record<string, unknown>>;

export interface AttemptRun extends Run {
  /** Aborted shortly before the lease ends. The attempt must then end at once. */
  signal: AbortSignal;
  /** A single attempt that a user requested: only `delivered` changes the status, and no retry is scheduled. */
  once: boolean;
}

/** Processes the items of a kind of work queue. `C` is their content, `P` the state that a run prepares for them. */
export interface WorkHandler<C = unknown, P = unknown> {
  /** The longest duration of an attempt, in milliseconds. None starts that could outlast the lease. Default 15 s. */
  longest?: number;
  /**
   * Runs once, before the first attempt of a run. `not now` postpones all work by 15 minutes, or until the work queue
   * is triggered again. `cancel all` cancels every open item, due or not.
   */
  prepare(queue: WorkQueue, run: Run): Promise<P | 'not now' | 'cancel all'>;
  /** Reports whether open items are cancelled, due or not. Called again after each attempt. Default: no. */
  cancels?(prepared: P): boolean;
  /** Reports whether an item is attempted although others are cancelled. Default: no. */
  spares?(workItem: WorkItem<C>, run: { once: boolean }): boolean;
  /** Makes one attempt, at least once. If it throws, the error is logged and the item retried after one minute. */
  attempt(workItem: WorkItem<C>, prepared: P, run: AttemptRun): Promise<AttemptResult<C>>;
}
