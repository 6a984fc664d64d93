import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import { clock } from './clock.ts';
import { drain } from './drain.ts';
import { runSchedule } from './run-schedule.ts';

/** Advances the clock, runs the sweep of the work queues, and processes everything that is due. */
export async function passTime(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await runSchedule(workQueueSweep, clock.now());
  await drain();
}

/** Lets the leases and visibility timeouts of killed functions expire, and repeats their work. */
export async function recover(): Promise<void> {
  for (const _ of [1, 2]) await passTime(120_000);
}
