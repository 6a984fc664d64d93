import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { Ticket, TicketParams } from '../../shared/support/tickets/schema.ts';
import { showTicket } from '../../shared/support/tickets/show-ticket.ts';

export default endpoint({
  method: 'GET',
  path: '/tickets/{ticketId}',
  permission: 'readTickets',
  reach: 'ticket',
  params: TicketParams,
  response: Ticket,
  summary: 'Read a ticket',
  read: (input) => readTicket(input, input.params.ticketId),
  decide: (request, ticket) => ({ response: showTicket(ticket, request) }),
});
