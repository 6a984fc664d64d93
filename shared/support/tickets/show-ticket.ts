import { uniqueIdOf } from '../../id/unique-id.ts';
import type { Principal } from '../../security/principal.ts';
import { figuresOf } from '../../sla/figures.ts';
import type { Ticket } from './schema.ts';
import type { StoredTicket, TicketSummary } from './stored-ticket.ts';

/** Who looks at a ticket, and when. */
interface TicketViewer {
  now: Date;
  principal: Pick<Principal, 'permissions'>;
}

/** A ticket as the API shows it, with the figures of its clock as of now. Interface, "Ticket". */
export const showTicket = (ticket: StoredTicket, { now, principal }: TicketViewer): Ticket =>
  withoutInternal(withFigures(ticket, now), principal);

/** The same for whoever may read internal comments. */
export function withFigures(
  { clock, assignment, commentCount, ...kept }: TicketSummary & Partial<StoredTicket>,
  now: Date,
): Ticket {
  return { ...kept, uniqueId: uniqueIdOf('tkt', kept.id), ...figuresOf(clock, now) };
}

/** A ticket without how many internal comments it has, for whoever may not read them. */
export function withoutInternal(ticket: Ticket, { permissions }: TicketViewer['principal']): Ticket {
  if (permissions.has('readInternalComments')) return ticket;
  const { internalNoteCount, ...shown } = ticket;
  return shown;
}
