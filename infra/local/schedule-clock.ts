import type { Invoke } from './lambda.ts';
import { abortableSleep, errorLine, type Poller, startPoller } from './polling.ts';

interface Scheduled {
  name: string;
  /** Milliseconds from the start of one run to the start of the next run. */
  every: number;
  invoke: Invoke;
}

/** A finished run. `error` is absent if the run succeeded. */
interface ScheduleRun {
  startedAt: Date;
  milliseconds: number;
  error?: string;
}

interface ScheduleState {
  name: string;
  /** In milliseconds. */
  every: number;
  /** The start of the run in progress, if any. */
  runningSince?: Date;
  lastRun?: ScheduleRun;
}

export interface ScheduleClock extends Poller {
  states(): ScheduleState[];
  /**
   * Runs a schedule now. If a run is in progress, waits for this run instead. Returns undefined if no
   * schedule has this name.
   */
  runNow(name: string): Promise<ScheduleRun> | undefined;
}

/** Runs each schedule immediately and then at its interval. Unlike in EventBridge Scheduler, runs never overlap. */
export function startScheduleClock(schedules: readonly Scheduled[]): ScheduleClock {
  const runners = schedules.map(scheduleRunner);
  const clocks = runners.map(({ state, run }) =>
    startPoller(`The schedule ${state.name}`, async (signal) => {
      const next = Date.now() + state.every;
      await run();
      await abortableSleep(signal, next - Date.now());
    }),
  );
  return {
    states: () => runners.map(({ state }) => ({ ...state })),
    runNow: (name) => runners.find(({ state }) => state.name === name)?.run(),
    stop: async () => {
      await Promise.all(clocks.map((clock) => clock.stop()));
      await Promise.all(runners.map(({ idle }) => idle()));
    },
  };
}

function scheduleRunner({ name, every, invoke }: Scheduled) {
  const state: ScheduleState = { name, every };
  let current: Promise<ScheduleRun> | undefined;

  async function start(): Promise<ScheduleRun> {
    const startedAt = new Date();
    state.runningSince = startedAt;
    const error = await invoke({}).then(() => undefined, errorLine);
    if (error !== undefined) console.error(`The schedule ${name} failed: ${error}`);
    const run = {
      startedAt,
      milliseconds: Date.now() - startedAt.getTime(),
      ...(error !== undefined && { error }),
    };
    delete state.runningSince;
    state.lastRun = run;
    current = undefined;
    return run;
  }

  return {
    state,
    run: () => {
      current ??= start();
      return current;
    },
    /** Resolves when no run is in progress. */
    idle: async () => void (await current),
  };
}
