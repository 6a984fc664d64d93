import type { Context } from 'aws-lambda';

/** A function that runs by the clock: the default export of a file in events/schedules/, which names it. */
export interface Schedule {
  every: { minutes: 1 };
  /** How long one run may take: less than the time to the next. */
  timeoutSeconds: number;
  /** The metric by which it says how many seconds it is late (`emitMetric`), and the minutes from which an alarm sounds. */
  lag?: { metric: string; minutes: number };
  /** It may send trigger messages. */
  sendsTriggers?: true;
  /**
   * Does what is due at `now`. `deadline`, in milliseconds since 1970, is five seconds before the function ends: nothing
   * new is to begin after it. Runs may overlap, and one that fails is not repeated: the next finds what it left.
   */
  run(now: Date, deadline: number): Promise<void>;
}

const marginMilliseconds = 5_000;

/** The Lambda of a schedule. What it throws ends the run, which Lambda counts as an error. */
export const scheduleHandler =
  ({ run, timeoutSeconds }: Schedule, clock: () => Date = () => new Date()) =>
  async (_event: unknown, context?: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const remaining = context?.getRemainingTimeInMillis() ?? timeoutSeconds * 1000;
    await run(clock(), Date.now() + remaining - marginMilliseconds);
  };
