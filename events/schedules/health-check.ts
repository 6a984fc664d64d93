import { commitHealthCheck } from '../../shared/events/health-check.ts';
import type { Schedule } from '../schedule.ts';

/**
 * Every minute, writes a health check event, which the relay sends to every queue. Each consumer then reports
 * its queue's delay.
 */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 30,
  uses: 'health checks',
  run: (now, deadline) => commitHealthCheck({ now, deadline }),
} satisfies Schedule;
