import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ticketDeleted } from '../../shared/support/tickets/events.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { Ticket, TicketParams } from '../../shared/support/tickets/schema.ts';
import { showTicket } from '../../shared/support/tickets/show-ticket.ts';
import { tickets } from '../../shared/support/tickets/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/tickets/{ticketId}',
  permission: 'writeTickets',
  reach: 'ticket',
  params: TicketParams,
  response: Ticket,
  emits: ['ticket_deleted'],
  summary: 'Delete a ticket',
  description:
    'The comments and documents of the ticket are deleted shortly afterwards. Requests with the ticketNumber return 404, and the number is not reused.',
  read: (input) => readTicket(input, input.params.ticketId),
  decide: (request, ticket) => ({
    response: showTicket(ticket, request),
    writes: tickets.delete(ticket, request.now),
    events: ticketDeleted(ticket),
  }),
});
