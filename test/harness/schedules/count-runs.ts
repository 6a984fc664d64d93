import type { Schedule } from '../../../events/schedule.ts';
import { increment } from '../../../shared/table/counters.ts';

/** The key of the item that counts the runs. */
export const runsKey = { pk: 'ACCOUNT#test#SCHEDULE', sk: 'RUNS' };

/** A schedule that only counts its runs. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: 'TestLag', minutes: 5 },
  run: async () => void (await increment(runsKey)),
} satisfies Schedule;
