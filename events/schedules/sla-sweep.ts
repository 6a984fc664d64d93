import { slaSweep, sweepTickets } from '../../shared/support/tickets/sweep-tickets.ts';
import type { Schedule } from '../schedule.ts';

/** Every minute, marks the SLA targets that tickets have missed. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: slaSweep.lagMetric, minutes: 5 },
  uses: 'tickets',
  run: (now, deadline) => sweepTickets({ now, deadline }),
} satisfies Schedule;
