import { sweepWorkQueues, workQueueLag } from '../../shared/work-queue/sweep-work-queues.ts';
import type { Schedule } from '../schedule.ts';

/** Every minute, triggers work queues that are due after a lost trigger message, a crash, or a wait of over 15 min. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: workQueueLag, minutes: 5 },
  sendsTriggers: true,
  run: (now, deadline) => sweepWorkQueues({ now, deadline }),
} satisfies Schedule;
