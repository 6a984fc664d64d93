import { advanceClosings, closingLag } from '../../shared/closing/advance-closings.ts';
import type { Schedule } from '../schedule.ts';

/** Every minute, continues the exports and the erasures of closed accounts. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 55,
  lag: { metric: closingLag, minutes: 15 },
  uses: 'closed accounts',
  run: (now, deadline) => advanceClosings({ now, deadline }),
} satisfies Schedule;
