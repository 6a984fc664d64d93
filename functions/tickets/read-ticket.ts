import { endpoint } from '../../shared/http/endpoint.ts';
import { readTicket } from '../../shared/tickets/read-ticket.ts';
import { Ticket, TicketParams } from '../../shared/tickets/schema.ts';
import { showTicket } from '../../shared/tickets/show-ticket.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/tickets/{ticketId}',
    permission: 'readTickets',
    params: TicketParams,
    response: Ticket,
    summary: 'Read a ticket',
  },
  {
    read: ({ account, params }) => readTicket(account, params.ticketId),
    decide: (request, ticket) => ({ response: showTicket(ticket, request) }),
  },
);
