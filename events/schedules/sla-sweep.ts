import { slaSweep, sweepTickets } from '../../shared/support/tickets/sweep-tickets.ts';
import type { Schedule } from '../schedule.ts';

/** Marks the targets that tickets have missed, each minute. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: slaSweep.lagMetric, minutes: 5 },
  run: (now, deadline) => sweepTickets({ now, deadline }),
} satisfies Schedule;
