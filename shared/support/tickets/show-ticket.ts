import { uniqueIdOf } from '../../id/unique-id.ts';
import type { Principal } from '../../security/principal.ts';
import { figuresOf } from '../../sla/figures.ts';
import type { Ticket } from './schema.ts';
import type { StoredTicket, TicketSummary } from './stored-ticket.ts';

interface TicketViewer {
  now: Date;
  principal: Pick<Principal, 'permissions'>;
}

export const showTicket = (ticket: StoredTicket, { now, principal }: TicketViewer): Ticket =>
  withoutInternal(withFigures(ticket, now), principal);

/** Returns a ticket as shown to callers that may read internal comments. */
function withFigures(
  { clock, assignment, commentCount, ...kept }: TicketSummary & Partial<StoredTicket>,
  now: Date,
): Ticket {
  return { ...kept, uniqueId: uniqueIdOf('tkt', kept.id), ...figuresOf(clock, now) };
}

/** Omits the number of internal comments unless the caller may read internal comments. */
export function withoutInternal(ticket: Ticket, { permissions }: TicketViewer['principal']): Ticket {
  if (permissions.has('readInternalComments')) return ticket;
  const { internalNoteCount, ...shown } = ticket;
  return shown;
}
