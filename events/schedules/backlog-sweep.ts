import { backlogLag, sweepBacklogs } from '../../shared/work-queue/sweep-backlogs.ts';
import type { Schedule } from '../schedule.ts';

/** Wakes, each minute, the backlogs that are due: what a lost wake-up, a wait of more than 15 minutes or a crash left. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: backlogLag, minutes: 5 },
  wakes: true,
  run: (now, deadline) => sweepBacklogs({ now, deadline }),
} satisfies Schedule;
