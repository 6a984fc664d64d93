import { settleClock } from '../../sla/clock.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import type { ChangedTicket } from './change-ticket.ts';
import type { StoredTicket } from './stored-ticket.ts';

/**
 * A ticket to which nothing happens but time: each target that was due before `now` and is not met is missed. It goes by
 * instants that are stored, so it needs no policy and reckons no business time.
 */
export function settleTicket(
  before: StoredTicket,
  { now, actor }: { now: Date; actor: string },
): ChangedTicket {
  const { clock, entries, breaches } = settleClock(before.clock, now.toISOString());
  return { before, after: revise(before, { clock }, authoredBy(actor, now)), entries, breaches };
}
