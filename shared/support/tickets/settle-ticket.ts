import { settleClock } from '../../sla/clock.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import type { ChangedTicket } from './change-ticket.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** Marks open targets that were due before `now` as breached. Needs no policy, only stored instants. */
export function settleTicket(
  before: StoredTicket,
  { now, actor }: { now: Date; actor: string },
): ChangedTicket {
  const { clock, entries, breaches } = settleClock(before.clock, now.toISOString());
  return { before, after: revise(before, { clock }, authoredBy(actor, now)), entries, breaches };
}
