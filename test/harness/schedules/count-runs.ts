import type { Schedule } from '../../../events/schedule.ts';
import { increment } from '../../../shared/table/counters.ts';

/** Where the runs are counted. */
export const runsKey = { pk: 'ACCOUNT#test#SCHEDULE', sk: 'RUNS' };

/** Counts its runs: what a schedule does with the table, and nothing else. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: 'TestLag', minutes: 5 },
  run: async () => void (await increment(runsKey)),
} satisfies Schedule;
