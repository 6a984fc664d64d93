import { commitHealthCheck } from '../../shared/events/health-check.ts';
import type { Schedule } from '../schedule.ts';

/** Every minute, sends an event through the pipeline, so that every consumer reports its delay. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 30,
  run: (now, deadline) => commitHealthCheck({ now, deadline }),
} satisfies Schedule;
