import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { TicketAssignment } from '../../shared/support/tickets/assignment-schema.ts';
import { explainAssignment } from '../../shared/support/tickets/explain-assignment.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/tickets/{ticketId}/assignment',
  permission: 'readTickets',
  reach: 'ticket',
  params: TicketParams,
  response: TicketAssignment,
  summary: 'Explain the assignment of a ticket',
  description:
    'Shows who assigned the ticket and how. For an assignment by rotation, also shows the sequence and the skipped members.',
  read: (input) => readTicket(input, input.params.ticketId),
  decide: (_, ticket) => ({ response: explainAssignment(ticket) }),
});
