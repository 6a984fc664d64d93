import { sweepWorkQueues, workQueueLag } from '../../shared/work-queue/sweep-work-queues.ts';
import type { Schedule } from '../schedule.ts';

/** Every minute, triggers overdue work queues, for example after a crash, a lost trigger message or a long wait. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: workQueueLag, minutes: 5 },
  uses: 'work queues',
  run: (now, deadline) => sweepWorkQueues({ now, deadline }),
} satisfies Schedule;
