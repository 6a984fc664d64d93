import type { Invoke } from './lambda.ts';
import { abortableSleep, messageOf, type Poller, startPoller } from './polling.ts';

interface Scheduled {
  name: string;
  /** Milliseconds from the start of one run to the start of the next run. */
  every: number;
  invoke: Invoke;
}

/** Runs each schedule immediately and then at its interval. Unlike in EventBridge Scheduler, runs never overlap. */
export function startScheduleClock(schedules: readonly Scheduled[]): Poller {
  const clocks = schedules.map(({ name, every, invoke }) =>
    startPoller(`The schedule ${name}`, async (signal) => {
      const next = Date.now() + every;
      await invoke({}).catch((error) => console.error(`The schedule ${name} failed: ${messageOf(error)}`));
      await abortableSleep(signal, next - Date.now());
    }),
  );
  return { stop: async () => void (await Promise.all(clocks.map((clock) => clock.stop()))) };
}
