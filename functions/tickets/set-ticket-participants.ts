import { putParticipants } from '../../shared/people/ownership/put-participants.ts';
import type { ChangedTicket } from '../../shared/support/tickets/change-ticket.ts';
import { ticketEvents } from '../../shared/support/tickets/events.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { Ticket, TicketParams } from '../../shared/support/tickets/schema.ts';
import { showTicket } from '../../shared/support/tickets/show-ticket.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import type { StoredTicket } from '../../shared/support/tickets/stored-ticket.ts';

/** The SLA clock of a ticket does not change with its participants. */
const change = (before: StoredTicket, after: StoredTicket): ChangedTicket => ({
  before,
  after,
  entries: [],
  breaches: [],
});

export default putParticipants(
  {
    type: 'ticket',
    path: '/tickets/{ticketId}',
    params: TicketParams,
    response: Ticket,
    emits: 'ticket_updated',
    read: (input) => readTicket(input, input.params.ticketId),
    show: showTicket,
    replace: (before, after) => tickets.change(change(before, after)),
    updated: (before, after) => ticketEvents(change(before, after)),
  },
  { summary: 'Set the participants of a ticket' },
);
