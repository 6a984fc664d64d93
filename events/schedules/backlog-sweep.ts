import { sweepWorkQueues, workQueueLag } from '../../shared/work-queue/sweep-work-queues.ts';
import type { Schedule } from '../schedule.ts';

/** Wakes, each minute, the work queues that are due: what a lost trigger message, a wait of more than 15 minutes or a crash left. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: workQueueLag, minutes: 5 },
  sendsTriggers: true,
  run: (now, deadline) => sweepWorkQueues({ now, deadline }),
} satisfies Schedule;
