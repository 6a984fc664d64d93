import type { Context } from 'aws-lambda';

/** A scheduled function: the default export of a file in events/schedules/, whose name is the schedule's name. */
export interface Schedule {
  every: { minutes: 1 };
  /** The timeout of one run: less than the time until the next. */
  timeoutSeconds: number;
  /** The metric of its delay in seconds (`emitMetric`), and from how many minutes on there is an alarm. */
  lag?: { metric: string; minutes: number };
  /** It may send trigger messages. */
  sendsTriggers?: true;
  /**
   * Does the work that is due at `now`. `deadline` is five seconds before the function ends, in milliseconds since 1970;
   * nothing new may start after it. Runs may overlap. A failed run is not repeated: the next one does its work.
   */
  run(now: Date, deadline: number): Promise<void>;
}

const marginMilliseconds = 5_000;

/** The Lambda handler of a schedule. If it throws, Lambda counts an error. */
export const scheduleHandler =
  ({ run, timeoutSeconds }: Schedule, clock: () => Date = () => new Date()) =>
  async (_event: unknown, context?: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const remaining = context?.getRemainingTimeInMillis() ?? timeoutSeconds * 1000;
    await run(clock(), Date.now() + remaining - marginMilliseconds);
  };
