import { sweepWorkQueues, workQueueLag } from '../../shared/work-queue/sweep-work-queues.ts';
import { buildIndexAdditions } from '../build-index-additions.ts';
import type { Schedule } from '../schedule.ts';

/**
 * Every minute, triggers overdue work queues, for example after a crash, a lost trigger message or a long wait. Then builds
 * additions to the search index.
 */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: workQueueLag, minutes: 5 },
  uses: 'work queues',
  async run(now, deadline) {
    await sweepWorkQueues({ now, deadline });
    await buildIndexAdditions({ now, deadline });
  },
} satisfies Schedule;
