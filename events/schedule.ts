import type { Context } from 'aws-lambda';

/** A scheduled function: the default export of a file in events/schedules/. The file has the schedule's name. */
export interface Schedule {
  /** The interval: a whole number of minutes, at most 60. */
  every: { minutes: number };
  /** The timeout of one run, which must be shorter than the interval. */
  timeoutSeconds: number;
  /** The metric of the schedule's delay in seconds (`emitMetric`), and the delay in minutes that raises the alarm. */
  lag?: { metric: string; minutes: number };
  /** The part of the table that the schedule may read and change. Its rights are derived from this field. */
  uses: 'health checks' | 'tickets' | 'work queues' | 'closed accounts';
  /**
   * Does the work that is due at `now`. Must not start work after `deadline` (milliseconds since 1970), which is five
   * seconds before the timeout. Runs may overlap. After a failed run, the next run does the remaining work.
   */
  run(now: Date, deadline: number): Promise<void>;
}

const marginMilliseconds = 5_000;

/** The Lambda handler of a schedule. If `run` throws, Lambda counts an error. */
export const scheduleHandler =
  ({ run, timeoutSeconds }: Schedule, clock: () => Date = () => new Date()) =>
  async (_event: unknown, context?: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const remaining = context?.getRemainingTimeInMillis() ?? timeoutSeconds * 1000;
    await run(clock(), Date.now() + remaining - marginMilliseconds);
  };
