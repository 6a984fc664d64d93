import { sealLag, sweepSeals } from '../../shared/event-seals/sweep-seals.ts';
import type { Schedule } from '../schedule.ts';

/** Has the events of each account sealed every ten minutes, a tenth of the accounts each minute. */
export default {
  every: { minutes: 1 },
  timeoutSeconds: 50,
  lag: { metric: sealLag, minutes: 15 },
  wakes: true,
  goesOverAccounts: true,
  run: (now, deadline) => sweepSeals({ now, deadline }),
} satisfies Schedule;
