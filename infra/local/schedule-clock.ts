import type { Invoke } from './lambda.ts';
import { abortableSleep } from './polling.ts';

interface Scheduled {
  name: string;
  /** From the beginning of one run to that of the next, in milliseconds. */
  every: number;
  invoke: Invoke;
}

/** What runs functions by the clock, ended by `stop`, which resolves when the runs in hand are over. */
interface ScheduleClock {
  stop(): Promise<void>;
}

/** Calls each schedule at once and then every so often, as EventBridge Scheduler does, but never while it still runs. */
export function startScheduleClock(schedules: readonly Scheduled[]): ScheduleClock {
  const stopping = new AbortController();
  const running = schedules.map((schedule) => repeat(schedule, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function repeat({ name, every, invoke }: Scheduled, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = Date.now() + every;
    try {
      await invoke({});
    } catch (error) {
      console.error(`The schedule ${name} failed: ${error instanceof Error ? error.message : error}`);
    }
    await abortableSleep(signal, next - Date.now());
  }
}
