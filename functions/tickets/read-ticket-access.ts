import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';

export default accessEndpoint({
  type: 'ticket',
  path: '/tickets/{ticketId}',
  params: TicketParams,
  read: (input, { ticketId }) => readTicket(input, ticketId),
});
