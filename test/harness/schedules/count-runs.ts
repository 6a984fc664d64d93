import type { Schedule } from '../../../events/schedule.ts';
import { increment } from '../../../shared/table/counters.ts';

/** The key of the item that counts the runs, in a partition that the schedule may change. */
export const runsKey = { pk: 'ACCOUNT#test#WORKQUEUE#RUNS', sk: 'RUNS' };

/** A schedule that only counts its runs. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: 'TestLag', minutes: 5 },
  uses: 'work queues',
  run: async () => void (await increment(runsKey)),
} satisfies Schedule;
